#include "orchestrator/bounds/request_bytes.h"

#include <atomic>

namespace baton::bounds {
namespace {

std::atomic<std::size_t> taken{0};

}  // namespace

RequestBytes::~RequestBytes() {
  if (bytes_ > 0) taken -= bytes_;
}

std::optional<RequestBytes> RequestBytes::Take(std::size_t bytes) {
  if (bytes <= kSmallRequestBytes) return RequestBytes();
  if ((taken += bytes) <= kRequestsBytesMost) return RequestBytes(bytes);
  taken -= bytes;
  return std::nullopt;
}

std::size_t RequestBytes::Taken() { return taken; }

}  // namespace baton::bounds
