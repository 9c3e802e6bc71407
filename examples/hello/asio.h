// Asio and Beast, as far as this example needs them.
#pragma once

#include <utility>  // before Asio: Boost 1.74 uses std::exchange in C++20 without including it

// g++ 12 with a sanitizer warns of these headers, and inlining makes the warning ours.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#pragma GCC diagnostic pop

namespace baton::examples {
namespace asio = boost::asio;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;
}  // namespace baton::examples
