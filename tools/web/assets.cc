#include "tools/web/assets.h"

#include <zlib.h>

#include "orchestrator/base/check.h"
#include "orchestrator/wire/stored/hash.h"
#include "page_files.h"
#include "tools/web/answers.h"

namespace baton::web {
namespace {

constexpr char kPage[] = "index.html";

std::string Gzip(const std::string& text) {
  z_stream stream{};
  CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) ==
        Z_OK);  // + 16: gzip's frame
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string KindOf(const std::string& name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/html; charset=utf-8";
}

}  // namespace

Assets::Assets() {
  std::string page;
  std::map<std::string, std::string> names;  // as it is in the sources -> as it is served
  for (const EmbeddedFile& file : PageFiles()) {
    const std::string name(file.name);
    std::string text(file.text);
    if (name == kPage) {
      page = std::move(text);
      continue;
    }
    const std::string served = wire::Sha256Hex(text).substr(0, 16) + name.substr(name.rfind('.'));
    names[name] = served;
    std::string gzip = Gzip(text);
    assets_[served] = {KindOf(name), std::move(text), std::move(gzip)};
  }
  for (const auto& [name, served] : names) {  // "/assets/app.js" in the page
    const std::string written = "/assets/" + name;
    for (std::size_t at = 0; (at = page.find(written, at)) != std::string::npos;) {
      page.replace(at, written.size(), "/assets/" + served);
      at += served.size();
    }
  }
  std::string gzip = Gzip(page);
  page_ = {KindOf(kPage), std::move(page), std::move(gzip)};
}

http::Response Assets::Get(const http::Request& request) const {
  static const std::string kFolder = "/assets/";
  if (request.path.starts_with(kFolder)) {
    const auto found = assets_.find(request.path.substr(kFolder.size()));
    if (found == assets_.end()) return Problem("not_found", "there is no " + request.path);
    http::Response response = Answer(found->second, request);
    response.headers.emplace_back("Cache-Control", "public, max-age=31536000, immutable");
    return response;
  }
  const std::string last = request.path.substr(request.path.rfind('/') + 1);
  // An app's name may have a dot: its own pages are below /apps/.
  const bool of_page =
      last.find('.') == std::string::npos || request.path.starts_with("/apps/") || request.path.starts_with("/cells/");
  if (!of_page) return Problem("not_found", "there is no " + request.path);
  http::Response response = Answer(page_, request);
  response.headers.emplace_back("Cache-Control", "no-cache");
  return response;
}

http::Response Assets::Answer(const Asset& asset, const http::Request& request) {
  http::Response response{.content_type = asset.content_type, .headers = {{"Vary", "Accept-Encoding"}}};
  const bool packed = request.Header("accept-encoding").find("gzip") != std::string::npos;
  response.body = packed ? asset.gzip : asset.text;
  if (packed) response.headers.emplace_back("Content-Encoding", "gzip");
  return response;
}

std::size_t Assets::bytes() const {
  std::size_t sum = 0;
  for (const auto& [name, asset] : assets_) sum += asset.gzip.size();
  return sum;
}

}  // namespace baton::web
