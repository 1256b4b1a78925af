#include <algorithm>
#include <numbers>

#include "matching/rotate_image.hpp"
#include "training/examples.hpp"

namespace fmbym::training {
namespace {

constexpr double kLargestTurn = 0.1;  // [rad]; a car turns by up to 0.2 from scan to scan

constexpr double kLowestGain = 0.5, kHighestGain = 1.4;

// From 0 to 1.
double any_number(std::mt19937_64& random) {
  return double(random() % 100001) / 100000;
}

double any_turn(std::mt19937_64& random) {
  return kLargestTurn * (2 * any_number(random) - 1);
}

torch::Tensor turn(const torch::Tensor& image, double angle) {
  if (angle == 0) return image;
  const int n = int(image.size(0));
  Image source(n, 1);
  std::copy_n(image.contiguous().data_ptr<float>(), source.pixels().size(), source.pixels().data());
  const torch::Tensor out = torch::empty({n, n});
  rotate_image(source, -angle, out.data_ptr<float>(), n);
  return out;
}

// (2, n, n): current and reference.
torch::Tensor pair_of(const torch::Tensor& images, const Drawn& drawn) {
  const torch::Tensor both = torch::tensor({drawn.example.current, drawn.example.reference});
  const torch::Tensor pair = apply(drawn.symmetry, images.index_select(0, both).to(torch::kFloat));
  return torch::stack({turn(pair[0], drawn.current_turn), turn(pair[1], drawn.reference_turn)});
}

}  // namespace

torch::Tensor apply(const Symmetry& symmetry, const torch::Tensor& images) {
  const torch::Tensor mirrored = symmetry.mirrored ? images.flip({-1}) : images;
  return torch::rot90(mirrored, -symmetry.quarter_turns, {-2, -1});  // torch turns against the clock
}

SE2 apply(const Symmetry& symmetry, const SE2& motion) {
  const double side = symmetry.mirrored ? -1 : 1;
  const Vec2 way = rotate(symmetry.quarter_turns * std::numbers::pi / 2, {motion.x, side * motion.y});
  return {way.x, way.y, side * motion.yaw};
}

SE2 turned(const SE2& motion, double current_turn, double reference_turn) {
  return SE2{0, 0, reference_turn} * motion * SE2{0, 0, -current_turn};
}

// One draw after the other from one generator, each by a remainder: the distributions of the standard library
// differ from one to the next.
std::vector<Drawn> draw_epoch(const ExampleSet& set, bool augment, std::uint64_t seed, int epoch) {
  std::mt19937_64 random(seed * 1000003 + std::uint64_t(epoch));
  std::vector<std::size_t> order(set.choices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t place = random() % (i + 1);
    order[i] = order[place];
    order[place] = i;
  }
  std::vector<Drawn> drawn;
  drawn.reserve(order.size());
  for (const std::size_t scan : order) {
    const auto& choices = set.choices[scan];
    Drawn next{choices[random() % choices.size()], {}};
    if (augment) {
      next.symmetry = {int(random() % 4), random() % 2 == 1};
      if (random() % 2 == 1) {  // every other pair stays as sharp as those of the run time
        next.current_turn = any_turn(random);
        next.reference_turn = any_turn(random);
      }
      if (set.any_gain && random() % 2 == 1)
        next.gain = kLowestGain + (kHighestGain - kLowestGain) * any_number(random);
    }
    drawn.push_back(next);
  }
  return drawn;
}

Batch make_batch(const ExampleSet& set, std::span<const Drawn> drawn) {
  std::vector<torch::Tensor> scans, targets;
  std::vector<float> poses;
  for (const Drawn& next : drawn) {
    const torch::Tensor pair = pair_of(set.images, next);
    scans.push_back(next.gain == 1 ? pair : (pair * next.gain).clamp_max(1));
    if (set.targets.defined()) targets.push_back(pair_of(set.targets, next));
    const SE2 motion = turned(apply(next.symmetry, next.example.T_reference_current), next.current_turn,
                              next.reference_turn);
    poses.insert(poses.end(), {float(motion.x), float(motion.y), float(motion.yaw)});
  }
  return {torch::stack(scans).contiguous(), targets.empty() ? torch::Tensor() : torch::stack(targets),
          torch::tensor(poses).reshape({-1, 3})};
}

}  // namespace fmbym::training
