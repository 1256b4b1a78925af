#include "fmbym/masking/mask_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <type_traits>

#include "fmbym/core/error.hpp"
#include "masking/layer.hpp"
#include "masking/levels.hpp"
#include "masking/resampling.hpp"
#include "masking/steps.hpp"

namespace fmbym {
namespace {

constexpr int kBands = 4;  // of an image, for each thread

const std::string& convolution_name(int i) {
  return convolutions()[static_cast<std::size_t>(i)].name;
}

void check_size(int size) {
  if (size < kSmallestMask || size > kLargestMask)
    throw Error(fmt::format("mask network: images of {} pixels a side; {} to {} are possible", size,
                            kSmallestMask, kLargestMask));
}

template <class Maps>
std::vector<float> values_of(const Maps& maps, int first, int count, float scale) {
  std::vector<float> values;
  for (int c = first; c < first + count; ++c)
    for (int y = 0; y < maps.size(); ++y)
      for (int x = 0; x < maps.size(); ++x) values.push_back(scale * static_cast<float>(maps.at(c, y, x)));
  return values;
}

}  // namespace

class MaskPlan {
 public:
  virtual ~MaskPlan() = default;
  virtual Masks predict(const Image& current, const Image& reference) = 0;
  virtual std::vector<float> activations(int convolution) const = 0;
  virtual int size() const = 0;
};

namespace {

// With feature maps of one kind between the convolutions; only images and masks are always floating point.
template <class Floats, class Maps, class Stretching>
class Network final : public MaskPlan {
 public:
  Network(const MaskModel& model, int size, int threads)
      : model_(model),
        steps_(threads),
        scratch_(static_cast<std::size_t>(threads)),
        images_(2, size),
        logits_(2, size),
        masks_{Image(size, model.info.metres_per_pixel), Image(size, model.info.metres_per_pixel)} {
    for (int level = 0; level < kLevels; ++level)
      levels_[static_cast<std::size_t>(level)] = make_level(level, size >> level);
    load_images();
    for (int level = 0; level < kLevels; ++level) encode(level);
    for (int level = kLevels - 2; level >= 0; --level) decode(level);
    make_masks();
    if (scratch_size_.frequencies == 0) return;
    for (Scratch& scratch : scratch_) {
      scratch.frequencies = hwy::AllocateAligned<std::byte>(scratch_size_.frequencies);
      scratch.products = hwy::AllocateAligned<std::byte>(scratch_size_.products);
    }
  }

  Masks predict(const Image& current, const Image& reference) override {
    inputs_ = {&current, &reference};
    steps_.run();
    return {masks_[0], masks_[1]};
  }

  std::vector<float> activations(int convolution) const override {
    return read_[static_cast<std::size_t>(convolution)]();
  }

  int size() const override { return images_.size(); }

 private:
  struct Level {
    Maps pooled;             // from the level above
    Maps encoded;            // by the first convolution of the encoder
    Maps joined;             // from the level below, then those by its second convolution
    Maps decoded, finished;  // by the two of the decoder
  };

  static Level make_level(int level, int size) {
    const int own = channels(level);
    const int below = level + 1 < kLevels ? channels(level + 1) : 0;
    const int above = level > 0 ? channels(level - 1) : 0;
    return {{above, size}, {own, size}, {below + own, size}, {own, size}, {own, size}};
  }
  Level& at(int level) { return levels_[static_cast<std::size_t>(level)]; }

  void load_images() {
    const auto mean = static_cast<float>(model_.info.input_mean),
               scale = static_cast<float>(model_.info.input_scale);
    steps_.add(2 * size(), [=, this](int item, int) {
      load_row(*inputs_[static_cast<std::size_t>(item % 2)], item / 2, mean, scale, images_, item % 2);
    });
  }

  void encode(int level) {
    Level& here = at(level);
    if (level == 0) {
      add(encoder(0), images_, here.encoded, 0);
    } else {
      const int below = channels(level);  // where the level above has its own channels
      add_rows(here.pooled.size(), [&here, &above = at(level - 1), below](Rows rows) {
        pool(above.joined, below, here.pooled, rows);
      });
      add(encoder(level), here.pooled, here.encoded, 0);
    }
    add(encoder(level) + 1, here.encoded, here.joined, level + 1 < kLevels ? channels(level + 1) : 0);
  }

  void decode(int level) {
    Level& here = at(level);
    const Level& below = at(level + 1);
    const Maps& from = level + 2 < kLevels ? below.finished : below.joined;
    add_rows(here.joined.size(), [&here, &from, stretching = Stretching(here.joined.size())](Rows rows) {
      stretching.run(from, here.joined, rows);
    });
    add(decoder(level), here.joined, here.decoded, 0);
    if (level == 0 && !model_.layers[kLastConvolution].quantized)
      add(decoder(0) + 1, here.decoded, features_ = Floats(channels(0), size()), 0);
    else
      add(decoder(level) + 1, here.decoded, here.finished, 0);
  }

  void make_masks() {
    if (model_.layers[kLastConvolution].quantized)
      add(kLastConvolution, at(0).finished, logits_, 0);
    else
      add(kLastConvolution, features_, logits_, 0);
    steps_.add(2 * size(), [this](int item, int) {
      store_mask_row(logits_, item % 2, item / 2, masks_[static_cast<std::size_t>(item % 2)]);
    });
  }

  // Work on the rows of an image, in a few bands for each thread.
  template <class Work>
  void add_rows(int rows, Work work) {
    const int bands = steps_.threads() == 1 ? 1 : std::min(rows, kBands * steps_.threads());
    steps_.add(bands, [=](int i, int) { work(Rows{rows * i / bands, rows * (i + 1) / bands}); });
  }

  template <class In, class Out>
  void add(int index, const In& in, Out& out, int first) {
    const ConvolutionShape& shape = convolutions()[static_cast<std::size_t>(index)];
    const float scale = std::is_same_v<Out, Floats> ? 1 : input_scale(index + 1);
    auto layer =
        make_layer(in, shape, model_.layers[static_cast<std::size_t>(index)], scale, steps_.threads());
    scratch_size_ = larger(scratch_size_, scratch_size(layer));
    const int parts = static_cast<int>(layer.parts.size());
    steps_.add(parts, [this, layer = std::move(layer), &in, &out, first](int item, int member) {
      convolve(layer.convolution, layer.parts[static_cast<std::size_t>(item)], in, out, first,
               scratch_[static_cast<std::size_t>(member)]);
    });
    read_.push_back([=, &out] { return values_of(out, first, shape.out, scale); });
  }

  float input_scale(int index) const {
    return model_.layers[static_cast<std::size_t>(index)].quantized->input_scale;
  }

  const MaskModel model_;
  Steps steps_;
  std::vector<Scratch> scratch_;  // one a thread
  ScratchSize scratch_size_;
  std::array<const Image*, 2> inputs_ = {};
  Floats images_;
  std::array<Level, kLevels> levels_;
  Floats features_;  // for the last convolution, where that stays in floating point
  Floats logits_;
  std::array<Image, 2> masks_;
  std::vector<std::function<std::vector<float>()>> read_;  // the output of each convolution
};

}  // namespace

// Between the levels pixels are pooled and stretched as they are, so both ends must agree on their unit.
void check_units(const MaskModel& model, const std::string& name) {
  if (model.precision != Precision::int8) return;
  const auto unit = [&](int i) {
    const auto& quantized = model.layers[static_cast<std::size_t>(i)].quantized;
    if (!quantized)
      throw Error(
          fmt::format("{}: {} is not in 8 bits; only h1.conv1 and mask.conv may stay in floating point "
                      "where others do not; quantize the model again",
                      name, convolution_name(i)));
    return quantized->input_scale;
  };
  if (model.layers.front().quantized)
    throw Error(fmt::format("{}: h1.conv1 is in 8 bits, but images are not; quantize the model again", name));
  for (int i = 1; i < kLastConvolution; ++i) unit(i);
  for (int level = 0; level + 1 < kLevels; ++level) {
    const int below = encoder(level + 1), beside = decoder(level);
    if (unit(below) != unit(beside))
      throw Error(
          fmt::format("{}: input_scale {} of {} must be that of {}, {}: they have an input in common; "
                      "quantize the model again",
                      name, unit(below), convolution_name(below), convolution_name(beside), unit(beside)));
  }
}

MaskNetwork::MaskNetwork(const MaskModel& model, int size, int threads) {
  check_size(size);
  current_mean_ = reference_mean_ = Image(size, model.info.metres_per_pixel);
  check_units(model, "mask network");
  if (model.precision == Precision::fp32)
    plan_ = std::make_unique<Network<Planes<float>, Planes<float>, Upsampling<float>>>(model, size, threads);
  else if (has_byte_products())
    plan_ = std::make_unique<Network<Grid<float>, Grid<FourChannels>, ByteStretching>>(model, size, threads);
  else
    plan_ = std::make_unique<Network<Planes<float>, Planes<std::uint8_t>, Upsampling<std::uint8_t>>>(
        model, size, threads);
}

MaskNetwork::~MaskNetwork() = default;
MaskNetwork::MaskNetwork(MaskNetwork&&) noexcept = default;
MaskNetwork& MaskNetwork::operator=(MaskNetwork&&) noexcept = default;

int MaskNetwork::size() const {
  return plan_->size();
}

Masks MaskNetwork::predict(const Image& current, const Image& reference) {
  for (const Image* image : {&current, &reference})
    if (image->size() != size())
      throw Error(fmt::format("mask network: an image of {0} by {0} pixels; {1} by {1} are expected",
                              image->size(), size()));
  return plan_->predict(current, reference);
}

Masks MaskNetwork::predict_both_ways(const Image& current, const Image& reference) {
  const auto average = [](Image& mean, const Image& mask) {
    std::transform(mean.pixels().begin(), mean.pixels().end(), mask.pixels().begin(), mean.pixels().begin(),
                   [](float a, float b) { return 0.5f * (a + b); });
  };
  const Masks forwards = predict(current, reference);
  current_mean_ = forwards.current;
  reference_mean_ = forwards.reference;
  const Masks backwards = predict(reference, current);
  average(current_mean_, backwards.reference);
  average(reference_mean_, backwards.current);
  return {current_mean_, reference_mean_};
}

std::vector<float> MaskNetwork::activations(int convolution) const {
  return plan_->activations(convolution);
}

void apply_mask(const Image& mask, Image& image) {
  assert(mask.size() == image.size());
  std::transform(image.pixels().begin(), image.pixels().end(), mask.pixels().begin(), image.pixels().begin(),
                 std::multiplies<>());
}

}  // namespace fmbym
