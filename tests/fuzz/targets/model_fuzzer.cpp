// Sound models with some of their tensors and metadata changed: bytes alone would never get that far.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "fmbym/masking/mask_model.hpp"
#include "fuzz.hpp"
#include "masking/models.hpp"

using namespace fmbym;

namespace {

const TensorFile& sound_model(bool folded, bool int8) {
  static const TensorFile trained = random_weights(1, 127);
  static const MaskModel model = parse_model(trained, "sound");
  static const TensorFile biased = to_tensor_file(model),
                          quantized = to_tensor_file(fmbym::testing::quantized(model));
  return int8 ? quantized : folded ? biased : trained;
}

// A few bytes of a tensor, among them the first ones, which no random place would hit often.
void change_bytes(Tensor& tensor, FuzzedDataProvider& input) {
  if (tensor.bytes.empty()) return;
  const std::size_t at =
      input.ConsumeBool() ? 0 : input.ConsumeIntegralInRange<std::size_t>(0, tensor.bytes.size() - 1);
  const std::string bytes = input.ConsumeBytesAsString(4);
  tensor.bytes.replace(at, std::min(bytes.size(), tensor.bytes.size() - at), bytes, 0,
                       std::min(bytes.size(), tensor.bytes.size() - at));
}

// Often as no file can have it, where the bytes no longer fit the rest.
void change_shape(Tensor& tensor, FuzzedDataProvider& input) {
  const std::size_t numbers = tensor.bytes.size() / size_of(tensor.type);
  if (input.ConsumeBool())
    tensor.type = input.PickValueInArray({TensorType::f32, TensorType::f16, TensorType::i8});
  if (input.ConsumeBool())
    tensor.shape.assign(input.ConsumeIntegralInRange(0, 5), input.ConsumeIntegral<std::int8_t>());
  tensor.bytes.resize(input.ConsumeBool() ? numbers * size_of(tensor.type)
                                          : input.ConsumeIntegral<std::uint8_t>());
}

void change_tensor(TensorFile& file, FuzzedDataProvider& input) {
  if (file.tensors.empty()) return;
  const auto chosen = std::next(
      file.tensors.begin(), input.ConsumeIntegralInRange<std::ptrdiff_t>(0, std::ssize(file.tensors) - 1));
  switch (input.ConsumeIntegralInRange(0, 3)) {
    case 0:
      file.tensors.erase(chosen);
      break;
    case 1:
      file.tensors[input.ConsumeRandomLengthString(20)] = chosen->second;
      break;
    case 2:
      change_shape(chosen->second, input);
      break;
    default:
      change_bytes(chosen->second, input);
  }
}

void change_metadata(TensorFile& file, FuzzedDataProvider& input) {
  const auto chosen = std::next(
      file.metadata.begin(), input.ConsumeIntegralInRange<std::ptrdiff_t>(0, std::ssize(file.metadata) - 1));
  chosen->second = input.ConsumeRandomLengthString(20);
}

void require_finite(const MaskModel& model) {
  for (const ConvolutionWeights& layer : model.layers)
    for (const auto* values : {&layer.weight, &layer.bias})
      fuzz::require(std::ranges::all_of(*values, [](float value) { return std::isfinite(value); }),
                    "weights are finite");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  const bool folded = input.ConsumeBool(), int8 = input.ConsumeBool();
  TensorFile file = sound_model(folded, int8);
  while (input.remaining_bytes() > 0) {
    if (input.ConsumeBool())
      change_tensor(file, input);
    else
      change_metadata(file, input);
  }
  fuzz::expect_value_or_error([&] {
    const MaskModel model = parse_model(file, "input");
    require_finite(model);
    fuzz::require(parse_model(to_tensor_file(model), "copy") == model, "a copy is the same");
  });
  return 0;
}
