// Names in the metadata and the trailers of calls, as servers and clients know them.
#pragma once

namespace baton {

// Trailer with the milliseconds after which it is worth asking again.
inline constexpr char kRetryTrailer[] = "baton-retry-after-ms";
// Trailer with the address of who takes such calls instead, HOST:PORT.
inline constexpr char kLeaderTrailer[] = "baton-leader";
// Metadata of a request: who asks (kept in histories), and an id that is in every log line about it.
inline constexpr char kActorKey[] = "baton-actor";
inline constexpr char kRequestIdKey[] = "baton-request-id";
// Metadata of a request, and a header of a question for a verdict: W3C Trace Context (trace_parent.h).
inline constexpr char kTraceParentKey[] = "traceparent";

// Metadata of a call of a page (role web): the person for whom it calls, "role/operator/alice".
inline constexpr char kOnBehalfKey[] = "baton-on-behalf";
// Metadata of a call of baton.v2 that baton.v1 makes within batond: the call that was asked, "baton.v1.SERVICE/METHOD".
inline constexpr char kAskedInKey[] = "baton-asked-in";
// Metadata of a request: which version of Baton its client is of, "0.2.0". Others need not say.
inline constexpr char kClientVersionKey[] = "baton-client-version";
// Metadata at the head of each answer: which version batond is of.
inline constexpr char kServerVersionKey[] = "baton-server-version";
// Metadata at the head of each answer while an upgrade of the data is open: its state, and the schemas that it goes between:
// "SYNCING 1.1.0 2.3.0".
inline constexpr char kDataKey[] = "baton-data";
// Metadata at the head of each answer of a batond without TLS, "1": everybody who reaches it is admin.
inline constexpr char kInsecureKey[] = "baton-insecure";
// Trailer of a call that was refused for what its client is, not for what it asks; says why: "version".
inline constexpr char kClientRefusedTrailer[] = "baton-client-refused";

// Trailer of baton.v1's lists with the rows that cannot be read: their number, then the first few of them,
// percent-encoded.
inline constexpr char kUnreadableTrailer[] = "baton-unreadable";

}  // namespace baton
