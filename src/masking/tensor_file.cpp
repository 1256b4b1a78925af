#include "fmbym/masking/tensor_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/in_quotes.hpp"
#include "core/shown_json.hpp"
#include "fmbym/core/error.hpp"
#include "fmbym/core/file.hpp"

namespace fmbym {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kLongestHeader = 100'000'000;  // [bytes], as the format has it
constexpr int kDeepest = 2;                            // header, tensor, shape
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kCopyAgain = "copy or download it again";
constexpr const char* kWriteAgain = "write it again with the safetensors package or with fmbym";

// By falling alignment: in this order the tensors of a file lie at multiples of their numbers' size.
constexpr std::array kTypes = {TensorType::f32, TensorType::f16, TensorType::i8};

std::uint64_t header_length(std::string_view contents) {
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<std::uint8_t>(contents[i]);
  return length;
}

// Where a tensor lies, as the header has it.
struct Entry {
  std::string name;
  Tensor tensor;
  std::uint64_t begin = 0, end = 0;
};

class Parser {
 public:
  Parser(std::string_view contents, const std::string& file) : file_(file) {
    require_tensor_file(contents);
    const auto length = static_cast<std::size_t>(header_length(contents));
    header_ = contents.substr(kLengthBytes, length);
    data_ = contents.substr(kLengthBytes + length);
  }

  TensorFile parse() const {
    TensorFile file;
    std::vector<Entry> entries;
    const Json header = parse_header();
    for (const auto& [name, value] : header.items()) {
      if (name == kMetadata)
        file.metadata = metadata(value);
      else
        entries.push_back(entry(name, value));
    }
    take_data(entries);
    for (Entry& e : entries) file.tensors.emplace(std::move(e.name), std::move(e.tensor));
    return file;
  }

 private:
  [[noreturn]] void fail(std::string_view wrong, std::string_view remedy) const {
    throw Error(fmt::format("{}: {}; {}", file_, wrong, remedy));
  }
  [[noreturn]] void fail_tensor(const std::string& name, std::string_view wrong,
                                std::string_view remedy = kWriteAgain) const {
    fail(fmt::format("tensor {}: {}", in_quotes(name), wrong), remedy);
  }

  void require_tensor_file(std::string_view contents) const {
    if (contents.size() <= kLengthBytes)
      fail(fmt::format("expected a weights file (safetensors), found only {} bytes", contents.size()),
           kCopyAgain);
    if (!looks_like_tensor_file(contents))
      fail("expected a weights file (safetensors), found something else", "give a .safetensors file");
    if (header_length(contents) > contents.size() - kLengthBytes)
      fail(fmt::format("expected a header of {} bytes, found the file cut off after {} bytes",
                       header_length(contents), contents.size()),
           kCopyAgain);
  }

  // Names that repeat would hide a tensor, and lists in lists take memory out of proportion.
  auto header_rules() const {
    return [this, names = std::array<std::set<std::string>, kDeepest + 1>{}](
               int depth, Json::parse_event_t event, const Json& parsed) mutable {
      using Event = Json::parse_event_t;
      const auto level = static_cast<std::size_t>(depth);
      if ((event == Event::object_start || event == Event::array_start) && depth > kDeepest)
        fail("expected a header of tensors, found lists within lists", kWriteAgain);
      if (event == Event::object_start) names[level].clear();
      if (event == Event::key && !names[level - 1].insert(parsed.get<std::string>()).second)
        fail(fmt::format("expected different names, found {} twice in the header",
                         in_quotes(parsed.get<std::string>())),
             kWriteAgain);
      return true;
    };
  }

  Json parse_header() const {
    // The parser would take a zero for the end.
    const bool has_zero = header_.find('\0') != std::string_view::npos;
    Json header = has_zero ? Json(Json::value_t::discarded) : Json::parse(header_, header_rules(), false);
    if (header.is_discarded()) fail("expected a header in JSON, found it damaged", kCopyAgain);
    return header;
  }

  std::map<std::string, std::string> metadata(const Json& json) const {
    if (!json.is_object())
      fail(fmt::format("{}: expected an object of strings, found {}", kMetadata, shown(json)), kWriteAgain);
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : json.items()) {
      if (!value.is_string())
        fail(fmt::format("{}: {}: expected a string, found {}", kMetadata, in_quotes(key), shown(value)),
             kWriteAgain);
      metadata[key] = value.get<std::string>();
    }
    return metadata;
  }

  Entry entry(const std::string& name, const Json& json) const {
    if (!json.is_object())
      fail_tensor(name, fmt::format("expected dtype, shape and data_offsets, found {}", shown(json)));
    Entry entry{name, {type(name, json), shape(name, json), {}}, 0, 0};
    const auto offsets = whole_numbers(name, json, "data_offsets");
    if (offsets.size() != 2)
      fail_tensor(name,
                  fmt::format("data_offsets: expected begin and end, found {} numbers", offsets.size()));
    std::tie(entry.begin, entry.end) = std::tie(offsets[0], offsets[1]);
    require_fit(entry);
    return entry;
  }

  const Json& member(const std::string& name, const Json& json, const char* key) const {
    const auto found = json.find(key);
    if (found == json.end()) fail_tensor(name, fmt::format("expected a {}, found none", key));
    return *found;
  }

  TensorType type(const std::string& name, const Json& json) const {
    const Json& dtype = member(name, json, "dtype");
    for (const TensorType type : kTypes)
      if (dtype == to_string(type)) return type;
    fail_tensor(name, fmt::format("dtype: expected F32, F16 or I8, found {}", shown(dtype)),
                "convert it or leave it out");
  }

  std::vector<std::uint64_t> whole_numbers(const std::string& name, const Json& json, const char* key) const {
    const Json& list = member(name, json, key);
    if (!list.is_array())
      fail_tensor(name, fmt::format("{}: expected a list of numbers, found {}", key, shown(list)));
    std::vector<std::uint64_t> numbers;
    for (const Json& number : list) {
      if (!number.is_number_unsigned())
        fail_tensor(name, fmt::format("{}: expected whole numbers from 0, found {}", key, shown(number)));
      numbers.push_back(number.get<std::uint64_t>());
    }
    return numbers;
  }

  std::vector<std::int64_t> shape(const std::string& name, const Json& json) const {
    const auto lengths = whole_numbers(name, json, "shape");
    std::uint64_t numbers = 1;
    constexpr std::uint64_t limit =
        std::numeric_limits<std::int64_t>::max() / 8;  // [numbers], of eight bytes
    for (const std::uint64_t length : lengths) {
      if (length > limit || (length > 0 && numbers > limit / length))
        fail_tensor(name, "shape: expected one that fits a file, found one too large for any");
      numbers *= length;
    }
    return {lengths.begin(), lengths.end()};
  }

  void require_fit(const Entry& entry) const {
    std::uint64_t expected = size_of(entry.tensor.type);
    for (const std::int64_t length : entry.tensor.shape) expected *= static_cast<std::uint64_t>(length);
    if (entry.end < entry.begin || entry.end - entry.begin != expected)
      fail_tensor(entry.name,
                  fmt::format("data_offsets: expected {} bytes by its shape and dtype, found {} to {}",
                              expected, entry.begin, entry.end));
    if (entry.end > data_.size())
      fail_tensor(
          entry.name,
          fmt::format("expected it at bytes {} to {} after the header, found the file cut off after {}",
                      entry.begin, entry.end, data_.size()),
          kCopyAgain);
  }

  // Every byte after the header belongs to exactly one tensor.
  void take_data(std::vector<Entry>& entries) const {
    std::ranges::sort(entries, {}, [](const Entry& e) { return std::tuple(e.begin, e.end); });
    std::uint64_t at = 0;
    for (Entry& e : entries) {
      if (e.begin != at)
        fail_tensor(e.name, fmt::format("expected it where the one before ends, at byte {} after the header, "
                                        "found {} at {}",
                                        at, e.begin < at ? "an overlap" : "a hole", e.begin));
      e.tensor.bytes =
          data_.substr(static_cast<std::size_t>(e.begin), static_cast<std::size_t>(e.end - e.begin));
      at = e.end;
    }
    if (at != data_.size())
      fail(fmt::format("expected {} bytes of tensors, found {} more", at, data_.size() - at), kWriteAgain);
  }

  const std::string& file_;
  std::string_view header_, data_;
};

std::vector<const std::pair<const std::string, Tensor>*> in_order_of_alignment(const TensorFile& file) {
  std::vector<const std::pair<const std::string, Tensor>*> ordered;
  for (const TensorType type : kTypes)
    for (const auto& entry : file.tensors)
      if (entry.second.type == type) ordered.push_back(&entry);
  return ordered;
}

}  // namespace

bool looks_like_tensor_file(std::string_view contents) {
  return contents.size() > kLengthBytes && header_length(contents) <= kLongestHeader &&
         contents[kLengthBytes] == '{';
}

TensorFile parse_tensor_file(std::string_view contents, const std::string& name) {
  return Parser(contents, name).parse();
}

TensorFile read_tensor_file(const std::filesystem::path& file) {
  return parse_tensor_file(read_file(file), file.string());
}

std::string to_bytes(const TensorFile& file) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!file.metadata.empty()) header[kMetadata] = file.metadata;
  std::string data;
  for (const auto* entry : in_order_of_alignment(file)) {
    const auto& [name, tensor] = *entry;
    header[name] = {{"dtype", to_string(tensor.type)},
                    {"shape", tensor.shape},
                    {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
    data += tensor.bytes;
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string bytes;
  for (std::size_t i = 0; i < kLengthBytes; ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return bytes + text + data;
}

void write_tensor_file(const std::filesystem::path& file, const TensorFile& contents) {
  write_file(file, to_bytes(contents));
}

}  // namespace fmbym
