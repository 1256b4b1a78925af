// Bytes as a weights file. What is read can be written and read again.
#include "fmbym/masking/mask_model.hpp"
#include "fuzz.hpp"

using namespace fmbym;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::expect_value_or_error([&] {
    const TensorFile file = parse_tensor_file(fuzz::text_of(data, size), "input");
    fuzz::require(parse_tensor_file(to_bytes(file), "copy") == file, "a copy is the same");
    parse_model(file, "input");
  });
  return 0;
}
