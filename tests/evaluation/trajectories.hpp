// Drives with known shapes for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "fmbym/core/error.hpp"
#include "fmbym/evaluation/trajectory.hpp"

namespace fmbym::testing {

inline std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "\"" << text << "\" lacks \"" << part << "\"";
}

// The same motion again and again. No times.
inline Trajectory repeated(const Eigen::Isometry3d& motion, int count) {
  Trajectory trajectory;
  trajectory.T_world.push_back(Eigen::Isometry3d::Identity());
  for (int i = 0; i < count; ++i) trajectory.T_world.push_back(trajectory.T_world.back() * motion);
  return trajectory;
}

// A segment of length L ends at the first pose *beyond* L. Steps a hair above 10 m make that L itself to
// 1e-9.
constexpr double kTenMetres = 10 + 1e-8;

inline Trajectory straight(int count, double step = kTenMetres) {
  return repeated(to_spatial({step, 0, 0}), count);
}

inline double uniform(std::mt19937& random, double largest) {
  return std::uniform_real_distribution<double>(-largest, largest)(random);
}

inline Eigen::Isometry3d random_motion(std::mt19937& random, double metres, double radians) {
  const auto metre = [&] { return uniform(random, metres); };
  const Eigen::Vector3d axis = Eigen::Vector3d(metre(), metre(), metre()).normalized();
  return Eigen::Translation3d(metre(), metre(), metre()) * Eigen::AngleAxisd(uniform(random, radians), axis);
}

// Some 2 km with turns, height, roll and pitch, at 4 Hz with odd nanoseconds.
inline Trajectory winding(unsigned seed, int count = 800) {
  std::mt19937 random(seed);
  Trajectory trajectory;
  Eigen::Isometry3d pose = random_motion(random, 100, 3);
  for (int i = 0; i < count; ++i) {
    trajectory.time_ns.push_back(1547131046'353776001 + i * 250'000'123LL);
    trajectory.T_world.push_back(pose);
    pose = pose * to_spatial({2.5, 0, 0.02 * std::sin(i / 40.0)}) * random_motion(random, 0.05, 0.01);
  }
  return trajectory;
}

// The same drive seen from another world.
inline Trajectory moved(const Eigen::Isometry3d& T_new_old, Trajectory trajectory) {
  for (Eigen::Isometry3d& pose : trajectory.T_world) pose = T_new_old * pose;
  return trajectory;
}

inline Trajectory planar(const std::vector<SE2>& poses) {
  Trajectory trajectory;
  for (const SE2& pose : poses) trajectory.T_world.push_back(to_spatial(pose));
  return trajectory;
}

}  // namespace fmbym::testing
