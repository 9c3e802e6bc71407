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

// A streamed list, all of its messages.
export async function list(method: string, body: unknown = {}): Promise<any[]> {
  const text = await (await send("/api/baton.v2." + method, body)).text();
  const messages = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const last = messages.at(-1);
  if (last?.error) throw new ApiError(last.error.code, last.error.message);
  return messages;
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
