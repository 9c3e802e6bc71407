#include "tools/client/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include "orchestrator/model/version.h"
#include "tools/client/own_version.h"

namespace baton {
namespace {

// Between blocking calls only gRPC's backup timer polls connections, by default each 5 s. With that a refused client
// would notice a restarted batond late, and a TLS handshake would stall. Set before main: gRPC reads it at its first
// use, and credentials are made before the first channel.
[[maybe_unused]] const int kLooksOften = setenv("GRPC_CLIENT_CHANNEL_BACKUP_POLL_INTERVAL_MS", "50", /*overwrite=*/0);

constexpr int kHandshakeMostMs = 5000;

}  // namespace

std::shared_ptr<grpc::Channel> Dial(const std::string& address, const ClientCredentials& credentials) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 3000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 2000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  // How long a connection may take to come about: a thousand that come at once wait for each other's handshakes.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, credentials ? kHandshakeMostMs : 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetUserAgentPrefix(std::string(program_invocation_short_name) + "/" + kAppVersion);
  std::vector<std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(std::make_unique<OwnVersion>());
  return grpc::experimental::CreateCustomChannelWithInterceptors(
      address, credentials ? credentials : grpc::InsecureChannelCredentials(), arguments, std::move(interceptors));
}

}  // namespace baton
