#include "tools/http/connection.h"

#include <openssl/x509v3.h>

#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <deque>
#include <optional>
#include <type_traits>

#include "orchestrator/base/check.h"

namespace baton::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Fault = boost::system::error_code;
using Plain = beast::basic_stream<asio::generic::stream_protocol, asio::any_io_executor, beast::unlimited_rate_policy>;
using Secure = beast::ssl_stream<Plain>;

constexpr std::size_t kPieceMost = 64 * 1024;

// The URI SANs of the peer's certificate, which OpenSSL has verified.
void ReadCertificate(SSL* ssl, Peer& peer) {
  X509* certificate = SSL_get_peer_certificate(ssl);
  if (certificate == nullptr) return;
  peer.certificate = true;
  auto* names = static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names, i);
    if (name->type != GEN_URI) continue;
    const ASN1_STRING* text = name->d.uniformResourceIdentifier;
    peer.uris.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                           static_cast<std::size_t>(ASN1_STRING_length(text)));
  }
  GENERAL_NAMES_free(names);
  X509_free(certificate);
}

int StatusOf(const Fault& fault) {
  if (fault == beast::http::error::header_limit) return 431;
  if (fault == beast::http::error::body_limit) return 413;
  return 400;
}

bool IsOfSender(const Fault& fault) {
  return fault.category() == make_error_code(beast::http::error::bad_method).category() &&
         fault != beast::http::error::end_of_stream && fault != beast::http::error::partial_message;
}

template <class Stream>
class Connection final : public Exchange, public Live, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  Connection(Stream stream, Peer peer, std::shared_ptr<Shared> shared, std::shared_ptr<TlsContext> tls)
      : tls_(std::move(tls)), stream_(std::move(stream)), peer_(std::move(peer)), shared_(std::move(shared)) {
    ++shared_->open;
  }
  ~Connection() override {
    --shared_->open;
    TellGone();
  }

  void Start() {
    if constexpr (std::is_same_v<Stream, Secure>) {
      Within(shared_->limits.for_head);
      stream_.async_handshake(asio::ssl::stream_base::server, [self = this->shared_from_this()](const Fault& fault) {
        if (fault) return;
        ReadCertificate(self->stream_.native_handle(), self->peer_);
        self->ReadHead();
      });
    } else {
      ReadHead();
    }
  }

  void Close() override { Cut(); }

  void Answer(Response response) override {
    CHECK(!answered_);
    answered_ = true;
    auto message = std::make_shared<beast::http::response<beast::http::string_body>>();
    message->version(11);
    message->result(static_cast<unsigned>(response.status));
    PutHeaders(*message, response);
    message->keep_alive(keep_alive_ && !closing_);
    message->body() = std::move(response.body);
    message->prepare_payload();
    if (head_only_) message->body().clear();
    Within(shared_->limits.for_write);
    beast::http::async_write(stream_, *message,
                             [self = this->shared_from_this(), message](const Fault& fault, std::size_t) {
                               if (fault) return;
                               self->keep_alive_ && !self->closing_ ? self->ReadHead() : self->Shut();
                             });
  }

  void BeginStream(Response head) override {
    CHECK(!answered_);
    answered_ = true;
    streams_ = true;
    beast::http::response<beast::http::empty_body> message;
    message.version(11);
    message.result(static_cast<unsigned>(head.status));
    PutHeaders(message, head);
    message.chunked(true);
    message.keep_alive(false);
    std::ostringstream text;
    text << message.base();
    WatchForEnd();
    Queue(text.str());
  }

  void Write(std::string piece) override {
    if (!streams_ || ended_ || piece.empty()) return;
    std::ostringstream text;
    text << std::hex << piece.size() << "\r\n" << piece << "\r\n";
    Queue(text.str());
  }

  void End() override {
    if (!streams_ || ended_) return;
    ended_ = true;
    on_gone_ = nullptr;
    Queue("0\r\n\r\n");
  }

  std::size_t Behind() const override { return behind_; }
  void OnGone(std::function<void()> gone) override { on_gone_ = std::move(gone); }

 private:
  auto& Lowest() { return beast::get_lowest_layer(stream_); }
  void Within(std::chrono::milliseconds time) { Lowest().expires_after(time); }

  // Waits for a request without holding its sender to the time for a head, which begins with its first byte.
  void ReadHead() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_->limits.head));
    parser_->body_limit(shared_->limits.body);
    answered_ = false;
    head_only_ = false;
    if (!first_ && buffer_.size() == 0) {
      Within(shared_->limits.idle);
      stream_.async_read_some(buffer_.prepare(4096),
                              [self = this->shared_from_this()](const Fault& fault, std::size_t bytes) {
                                self->buffer_.commit(bytes);
                                if (!fault) self->ReadRest();
                              });
      return;
    }
    first_ = false;
    ReadRest();
  }

  void ReadRest() {
    Within(shared_->limits.for_head);
    beast::http::async_read_header(stream_, buffer_, *parser_,
                                   [self = this->shared_from_this()](const Fault& fault, std::size_t) {
                                     if (fault) return self->Refuse(fault);
                                     self->ReadBody();
                                   });
  }

  void ReadBody() {
    keep_alive_ = parser_->get().keep_alive();
    Within(shared_->limits.for_body);
    beast::http::async_read(stream_, buffer_, *parser_,
                            [self = this->shared_from_this()](const Fault& fault, std::size_t) {
                              if (fault) return self->Refuse(fault);
                              self->Dispatch();
                            });
  }

  // What was sent is no request, or too large: an answer, and the end. Silence and a closed connection get none.
  void Refuse(const Fault& fault) {
    if (!IsOfSender(fault)) return;
    closing_ = true;
    Answer({.status = StatusOf(fault), .body = fault.message() + '\n'});
  }

  void Dispatch() {
    Within(std::chrono::hours(24 * 365));  // nothing is read or written while the handler works
    auto& message = parser_->get();
    Request request;
    request.method = std::string(message.method_string());
    head_only_ = request.method == "HEAD";
    if (head_only_) request.method = "GET";
    const std::string target(message.target());
    const std::size_t mark = target.find('?');
    if (target.empty() || target.front() != '/' || !DecodePath(target.substr(0, mark), request.path)) {
      closing_ = true;
      return Answer({.status = 400, .body = "no path\n"});
    }
    if (mark != std::string::npos) request.query = target.substr(mark + 1);
    for (const auto& field : message) {
      std::string name(field.name_string());
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      request.headers.emplace(std::move(name), std::string(field.value()));
    }
    request.body = std::move(message.body());
    request.peer = peer_;
    shared_->handler(this->shared_from_this(), std::move(request));
  }

  template <class Message>
  static void PutHeaders(Message& message, const Response& response) {
    if (!response.content_type.empty()) message.set(beast::http::field::content_type, response.content_type);
    for (const auto& [name, value] : response.headers) message.insert(name, value);
  }

  void Queue(std::string text) {
    behind_ += text.size();
    queue_.push_back(std::move(text));
    if (queue_.size() == 1) WriteNext();
  }

  void WriteNext() {
    while (queue_.size() > 1 && queue_.front().size() < kPieceMost) {  // small pieces go out together
      queue_.front() += queue_[1];
      queue_.erase(queue_.begin() + 1);
    }
    Within(shared_->limits.for_write);
    asio::async_write(stream_, asio::buffer(queue_.front()),
                      [self = this->shared_from_this()](const Fault& fault, std::size_t) {
                        if (fault) return self->Cut();
                        self->behind_ -= self->queue_.front().size();
                        self->queue_.pop_front();
                        if (!self->queue_.empty()) return self->WriteNext();
                        self->Within(std::chrono::hours(24 * 365));
                        if (self->ended_) self->Shut();
                      });
  }

  // Of a stream nothing is read but its client's end; what it sends is of no use.
  void WatchForEnd() {
    Lowest().expires_never();  // of this read; a write that is under way keeps its time
    stream_.async_read_some(asio::buffer(drop_), [self = this->shared_from_this()](const Fault& fault, std::size_t) {
      fault ? self->Cut() : self->WatchForEnd();
    });
  }

  void Shut() {
    if constexpr (std::is_same_v<Stream, Secure>) {
      Within(std::chrono::seconds(2));
      stream_.async_shutdown([self = this->shared_from_this()](const Fault&) { self->Cut(); });
    } else {
      // What the client still sends is read until it ends, or it would lose the answer to a reset.
      Fault ignored;
      Lowest().socket().shutdown(asio::socket_base::shutdown_send, ignored);
      Within(std::chrono::seconds(2));
      Drain();
    }
  }

  void Drain() {
    if (streams_) return;  // WatchForEnd reads
    stream_.async_read_some(asio::buffer(drop_), [self = this->shared_from_this()](const Fault& fault, std::size_t) {
      fault ? self->Cut() : self->Drain();
    });
  }

  void Cut() {
    ended_ = true;
    Lowest().close();
    TellGone();
  }

  void TellGone() {
    if (auto gone = std::exchange(on_gone_, nullptr)) gone();
  }

  std::shared_ptr<TlsContext> tls_;  // outlives the stream
  Stream stream_;
  Peer peer_;
  std::shared_ptr<Shared> shared_;
  beast::flat_buffer buffer_;
  std::optional<beast::http::request_parser<beast::http::string_body>> parser_;
  bool first_ = true;
  bool keep_alive_ = false;
  bool closing_ = false;
  bool head_only_ = false;
  bool answered_ = false;
  bool streams_ = false;
  bool ended_ = false;
  std::deque<std::string> queue_;
  std::size_t behind_ = 0;
  std::function<void()> on_gone_;
  std::array<char, 256> drop_{};
};

template <class Stream>
std::weak_ptr<Live> Begin(Stream stream, Peer peer, std::shared_ptr<Shared> shared, std::shared_ptr<TlsContext> tls) {
  auto made =
      std::make_shared<Connection<Stream>>(std::move(stream), std::move(peer), std::move(shared), std::move(tls));
  made->Start();
  return made;
}

}  // namespace

std::weak_ptr<Live> Serve(Socket socket, Peer peer, std::shared_ptr<Shared> shared,
                          const std::shared_ptr<TlsContext>& tls) {
  Plain plain(std::move(socket));
  if (!tls) return Begin(std::move(plain), std::move(peer), std::move(shared), tls);
  return Begin(Secure(std::move(plain), *tls), std::move(peer), std::move(shared), tls);
}

}  // namespace baton::http
