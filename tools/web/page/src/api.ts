// Calls to baton-web. The messages are those of the .proto files, as JSON (docs/reference/web.md).

export class ApiError extends Error {
  constructor(readonly code: string, message: string, readonly body: any = {}) {
    super(message);
  }
}

async function send(path: string, body: unknown): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Baton-Page": "1" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new ApiError("unavailable", "baton-web does not answer");
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  throw new ApiError(problem.code ?? "unknown", problem.message ?? answer.statusText, problem);
}

// One answer: call("Rolls/GetRoll", {process_guid: "shop"}).
export async function call(method: string, body: unknown = {}): Promise<any> {
  return (await send("/api/baton.v2." + method, body)).json();
}

// The messages of a stream as they come, until it ends or `enough` says so of one.
export async function follow(method: string, body: unknown, enough: (message: any) => boolean): Promise<void> {
  const reader = (await send("/api/baton.v2." + method, body)).body!.getReader();
  const words = new TextDecoder();
  for (let rest = ""; ; ) {
    const { done, value } = await reader.read();
    const lines = (rest + words.decode(value, { stream: !done })).split("\n");
    rest = lines.pop()!;
    for (const line of lines.filter(Boolean)) {
      const message = JSON.parse(line);
      if (message.error) throw new ApiError(message.error.code, message.error.message);
      if (enough(message)) return reader.cancel();
    }
    if (done) return;
  }
}

// A streamed list: the rows of its messages, `most` of them where there are more.
export async function list(method: string, body: unknown, rows: string, most = Infinity): Promise<any[]> {
  const all: any[] = [];
  await follow(method, body, (message) => all.push(...message[rows]) >= most);
  return all.slice(0, most);
}

export async function post(path: string, body: unknown): Promise<any> {
  return (await send(path, body)).json();
}

export async function me(): Promise<any> {
  const answer = await fetch("/api/me");
  const body = await answer.json().catch(() => ({}));
  if (answer.ok) return body;
  throw new ApiError(body.code ?? "unknown", body.message ?? "", body);
}

// Routers keep JSON in bytes: {"cf-router": [...]}.
export function fromBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}
