// Boost.Asio as this folder includes it. Its coroutines are left out: 1.74 does not compile them with g++ 12 as C++20.
#pragma once

#define BOOST_ASIO_DISABLE_CO_AWAIT
#include <utility>  // boost/asio/awaitable.hpp uses std::exchange and does not include it

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
