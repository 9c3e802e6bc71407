// The client's TLS identity, from --tls or a context.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tools/baton/session.h"
#include "tools/client/channel.h"
#include "tools/tls/credentials.h"

namespace baton::cli {

// Where the certificate of the context is; nothing: it has none.
std::optional<Tls::Options> TlsOf(const Context& context);

// Opened when they are first needed: `baton certs` mends what cannot be opened.
std::function<ClientCredentials()> CredentialsOf(const Arguments& arguments);

// Takes from the context what the command line does not say. `batond_given`: it says where batond is. Throws Failure.
void TakeContext(Arguments& arguments, bool batond_given);

}  // namespace baton::cli
