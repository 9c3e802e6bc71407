// What is in a zip file: its directory, which stands at its end.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const kEnd = Buffer.from("PK\x05\x06", "latin1");
const kEntry = Buffer.from("PK\x01\x02", "latin1");

// The names of files that are not empty.
export function filesOf(path) {
  const zip = readFileSync(path);
  const end = zip.lastIndexOf(kEnd);
  assert.ok(end >= 0, path + " is no whole zip file");
  const names = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    assert.ok(zip.subarray(at, at + 4).equals(kEntry), path + " has a broken directory");
    const [bytes, name, extra, comment] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)];
    if (bytes > 0) names.push(zip.toString("utf8", at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}
