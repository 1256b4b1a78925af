#include "fft/fft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace fmbym {
namespace {

using std::size_t;
using Complex64 = std::complex<double>;

// Even and friendly, odd, prime, a single sample.
const std::vector<int> kSizes = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 20, 24, 30};

void fill_noise(FftBuffer<float>& values, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (float& v : values) v = uniform(random);
}

std::vector<float> copy_of(FftBuffer<float>& values) {
  return {values.begin(), values.end()};
}

// e^{-2πi k/n}, with k reduced first so that large products lose nothing.
Complex64 twiddle(int k, int n) {
  return std::polar(1.0, -2 * std::numbers::pi * (k % n) / n);
}

Complex64 naive_coefficient(const float* image, int n, int row_frequency, int column_frequency) {
  Complex64 sum = 0;
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      sum += double(image[r * n + c]) * twiddle(r * row_frequency, n) * twiddle(c * column_frequency, n);
  return sum;
}

Complex64 naive_coefficient(const float* signal, int n, int frequency) {
  Complex64 sum = 0;
  for (int i = 0; i < n; ++i) sum += double(signal[i]) * twiddle(i * frequency, n);
  return sum;
}

// Coefficients of noise are about n (2-D) or √n (1-D) large, and an FFT loses a few float roundings (6e-8) of
// that.
constexpr double kRounding = 1e-6;

void expect_near(Complex actual, Complex64 expected, double tolerance) {
  EXPECT_NEAR(actual.real(), expected.real(), tolerance);
  EXPECT_NEAR(actual.imag(), expected.imag(), tolerance);
}

// The rows that hold anything: all, the first, some in the middle, the last.
std::vector<RowRange> row_ranges(int n) {
  std::vector<RowRange> ranges = {{0, n}, {0, (n + 1) / 2}, {n - 1, 1}};
  if (n > 3) ranges.push_back({n / 4, n / 2});
  return ranges;
}

bool contains(const RowRange& rows, int row) {
  return row >= rows.first && row < rows.first + rows.count;
}

TEST(ForwardFft2d, EqualsTheNaiveTransformOfTheFilledRows) {
  for (const int n : kSizes) {
    for (const RowRange rows : row_ranges(n)) {
      SCOPED_TRACE(::testing::Message() << n << " rows from " << rows.first << ", " << rows.count);
      FftBuffer<float> image(image_count(n));
      FftBuffer<Complex> spectrum(spectrum_count(n));
      fill_noise(image, 1);
      for (Complex& z : spectrum) z = {7, 7};  // left from something else
      std::vector<float> original = copy_of(image);
      ForwardFft2d(n, rows)(image, spectrum);
      EXPECT_EQ(copy_of(image), original);
      for (int i = 0; i < n * n; ++i)
        if (!contains(rows, i / n)) original[size_t(i)] = 0;
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < spectrum_columns(n); ++c)
          expect_near(spectrum[size_t(c * n + r)], naive_coefficient(original.data(), n, r, c),
                      kRounding * n);
    }
  }
}

TEST(InverseFft2d, OfForwardIsTheImageTimesItsPixelsInTheWantedRows) {
  for (const int n : {1, 2, 15, 24, 96, 127, 128}) {
    for (const RowRange rows : row_ranges(n)) {
      SCOPED_TRACE(::testing::Message() << n << " rows from " << rows.first << ", " << rows.count);
      FftBuffer<float> image(image_count(n)), back(image_count(n));
      FftBuffer<Complex> spectrum(spectrum_count(n));
      fill_noise(image, 2);
      ForwardFft2d(n, {0, n})(image, spectrum);
      InverseFft2d(n, rows)(spectrum, back);
      const float pixels = static_cast<float>(n * n);
      for (int i = 0; i < n * n; ++i) {
        if (contains(rows, i / n)) {
          ASSERT_NEAR(back[size_t(i)] / pixels, image[size_t(i)], kRounding) << i;
        } else {
          ASSERT_EQ(back[size_t(i)], 0) << i;  // untouched
        }
      }
    }
  }
}

TEST(InverseFft2d, TakesColumnsThatAreNotFilledForZeros) {
  constexpr int n = 24, filled = 5;
  FftBuffer<float> image(image_count(n)), expected(image_count(n)), found(image_count(n));
  FftBuffer<Complex> spectrum(spectrum_count(n)), cut(spectrum_count(n));
  InverseFft2d all(n, {2, 9}), some(n, {2, 9}, filled);
  for (const unsigned seed : {4u, 5u}) {  // what is left of the first must not show in the second
    fill_noise(image, seed);
    ForwardFft2d(n, {0, n})(image, spectrum);
    std::copy_n(spectrum.data(), filled * n, cut.data());
    all(cut, expected);
    some(spectrum, found);
    for (int i = 0; i < n * n; ++i) ASSERT_NEAR(found[size_t(i)], expected[size_t(i)], kRounding * n * n);
  }
}

TEST(ForwardFft2d, KeepsTheEnergy) {  // Parseval
  for (const int n : {15, 24, 127, 128, 288}) {
    SCOPED_TRACE(n);
    FftBuffer<float> image(image_count(n));
    FftBuffer<Complex> spectrum(spectrum_count(n));
    fill_noise(image, 3);
    double energy = 0, spectral_energy = 0;
    for (const float v : image) energy += double(v) * v;
    ForwardFft2d(n, {0, n})(image, spectrum);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < spectrum_columns(n); ++c) {
        const bool own_mirror = c == 0 || 2 * c == n;  // the other columns stand for two
        spectral_energy += (own_mirror ? 1 : 2) * double(std::norm(spectrum[size_t(c * n + r)]));
      }
    }
    EXPECT_NEAR(spectral_energy / double(image_count(n)) / energy, 1, kRounding);
  }
}

TEST(RealFft1d, EveryRowEqualsItsNaiveTransform) {
  for (const int n : kSizes) {
    for (const int count : {1, 3, 8}) {
      SCOPED_TRACE(::testing::Message() << n << " × " << count);
      const RealFft1d fft(n, count);
      FftBuffer<float> signals(size_t(n * count));
      FftBuffer<Complex> spectra(size_t(fft.bins() * count));
      fill_noise(signals, 5);
      const std::vector<float> original = copy_of(signals);
      fft.forward(signals, spectra);
      for (int row = 0; row < count; ++row)
        for (int k = 0; k < fft.bins(); ++k)
          expect_near(spectra[size_t(row * fft.bins() + k)],
                      naive_coefficient(original.data() + row * n, n, k), kRounding * std::sqrt(n));
    }
  }
}

TEST(RealFft1d, InverseOfForwardIsTheSignalTimesItsLength) {
  for (const int n : {1, 2, 15, 480, 733}) {  // 733, the paper's number of angles, is prime
    SCOPED_TRACE(n);
    const int count = 5;
    const RealFft1d fft(n, count);
    FftBuffer<float> signals(size_t(n * count));
    FftBuffer<Complex> spectra(size_t(fft.bins() * count));
    fill_noise(signals, 6);
    const std::vector<float> original = copy_of(signals);
    fft.forward(signals, spectra);
    fft.inverse(spectra, signals);
    for (size_t i = 0; i < original.size(); ++i)
      ASSERT_NEAR(signals[i] / static_cast<float>(n), original[i], kRounding);
  }
}

TEST(FftBuffer, IsZeroAtFirstAndKnowsItsSize) {
  FftBuffer<float> buffer(1000);
  EXPECT_EQ(buffer.size(), 1000u);
  EXPECT_EQ(copy_of(buffer), std::vector<float>(1000, 0.f));
  EXPECT_EQ(FftBuffer<float>().size(), 0u);
}

TEST(FriendlyFftSize, IsTheSmallestEvenProductOfTwosThreesAndFives) {
  constexpr int kLimit = 10'000;
  std::set<int> friendly;
  for (int two = 2; two <= kLimit; two *= 2)
    for (int three = two; three <= kLimit; three *= 3)
      for (int five = three; five <= kLimit; five *= 5) friendly.insert(five);
  for (int n = 1; n <= *friendly.rbegin(); ++n)
    ASSERT_EQ(friendly_fft_size(n), *friendly.lower_bound(n)) << n;
}

// FFTW's planner is not thread-safe by itself; a race shows under the thread sanitizer or as a crash.
TEST(ForwardFft2d, CanBeMadeInSeveralThreadsAtOnce) {
  std::vector<double> peak(4);
  const auto work = [&](size_t thread) {
    for (int n = 2; n < 40; ++n) {
      FftBuffer<float> image(image_count(n));
      FftBuffer<Complex> spectrum(spectrum_count(n));
      image[0] = 1;
      ForwardFft2d(n, {0, n})(image, spectrum);
      for (const Complex z : spectrum) peak[thread] = std::max(peak[thread], double(std::abs(z - 1.f)));
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 0; i < peak.size(); ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  for (const double p : peak)
    EXPECT_LT(p, kRounding);  // the spectrum of a single 1 in the corner is 1 everywhere
}

}  // namespace
}  // namespace fmbym
