#include "fft/fft.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

namespace fmbym {
namespace {

// FFTW_MEASURE would make transforms up to 1.5 times faster, but takes most of a second a size to plan and
// may choose another algorithm each time, so that two runs would differ in their last digits.
constexpr unsigned kPlanning = FFTW_ESTIMATE;

// FFTW's planner, unlike its transforms, is not safe to use from several threads.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

fftwf_complex* raw(Complex* c) {
  return reinterpret_cast<fftwf_complex*>(c);
}
fftwf_plan plan_of(const detail::PlanPtr& plan) {
  return static_cast<fftwf_plan>(plan.get());
}

void require(bool planned) {
  if (!planned) throw std::bad_alloc();  // the only reason FFTW has for these
}

bool is_friendly(int n) {
  if (n % 2 != 0) return false;
  for (const int factor : {2, 3, 5})
    while (n % factor == 0) n /= factor;
  return n == 1;
}

}  // namespace

int friendly_fft_size(int n) {
  while (!is_friendly(n)) ++n;
  return n;
}

namespace detail {

void* fft_allocate(std::size_t bytes) {
  void* memory = fftwf_malloc(bytes);
  if (!memory) throw std::bad_alloc();
  return std::memset(memory, 0, bytes);
}

void fft_free(void* memory) {
  fftwf_free(memory);
}

void DestroyPlan::operator()(void* plan) const {
  const std::lock_guard lock(planner());
  fftwf_destroy_plan(static_cast<fftwf_plan>(plan));
}

}  // namespace detail

// Rows and columns are planned apart: rows can be left out then, and columns transposed on the way.
ForwardFft2d::ForwardFft2d(int n, RowRange filled) : n_(n), filled_(filled), half_way_(spectrum_count(n)) {
  FftBuffer<float> image(image_count(n));
  FftBuffer<Complex> spectrum(spectrum_count(n));
  const int columns = spectrum_columns(n);
  const std::lock_guard lock(planner());
  rows_.reset(fftwf_plan_many_dft_r2c(1, &n, filled.count, image.data() + filled.first * n, nullptr, 1, n,
                                      raw(half_way_.data() + filled.first * columns), nullptr, 1, columns,
                                      kPlanning));
  columns_.reset(fftwf_plan_many_dft(1, &n, columns, raw(half_way_.data()), nullptr, columns, 1,
                                     raw(spectrum.data()), nullptr, 1, n, FFTW_FORWARD, kPlanning));
  require(rows_ && columns_);
}

void ForwardFft2d::operator()(const FftBuffer<float>& image, FftBuffer<Complex>& spectrum) {
  const std::ptrdiff_t first = filled_.first;
  // Out of place, these transforms leave their input alone: the rows of zeros in half_way_ stay zeros.
  fftwf_execute_dft_r2c(plan_of(rows_), const_cast<float*>(image.data()) + first * n_,
                        raw(half_way_.data() + first * spectrum_columns(n_)));
  fftwf_execute_dft(plan_of(columns_), raw(half_way_.data()), raw(spectrum.data()));
}

InverseFft2d::InverseFft2d(int n, RowRange wanted, int filled)
    : n_(n), wanted_(wanted), filled_(filled), half_way_(spectrum_count(n)) {
  FftBuffer<float> image(image_count(n));
  FftBuffer<Complex> spectrum(spectrum_count(n));
  const int columns = spectrum_columns(n);
  const std::lock_guard lock(planner());
  columns_.reset(fftwf_plan_many_dft(1, &n, filled, raw(spectrum.data()), nullptr, 1, n,
                                     raw(half_way_.data()), nullptr, columns, 1, FFTW_BACKWARD, kPlanning));
  rows_.reset(fftwf_plan_many_dft_c2r(1, &n, wanted.count, raw(half_way_.data() + wanted.first * columns),
                                      nullptr, 1, columns, image.data() + wanted.first * n, nullptr, 1, n,
                                      kPlanning));
  require(rows_ && columns_);
}

void InverseFft2d::operator()(const FftBuffer<Complex>& spectrum, FftBuffer<float>& image) {
  const std::ptrdiff_t first = wanted_.first, columns = spectrum_columns(n_);
  fftwf_execute_dft(plan_of(columns_), raw(const_cast<Complex*>(spectrum.data())), raw(half_way_.data()));
  // The transform of the rows overwrites its input; kept from that, FFTW would allocate each time.
  for (std::ptrdiff_t row = first; row < first + wanted_.count; ++row)
    std::fill_n(half_way_.data() + row * columns + filled_, columns - filled_, Complex{});
  fftwf_execute_dft_c2r(plan_of(rows_), raw(half_way_.data() + first * columns), image.data() + first * n_);
}

RealFft1d::RealFft1d(int n, int count) : n_(n), count_(count) {
  FftBuffer<float> signals(std::size_t(n) * std::size_t(count));
  FftBuffer<Complex> spectra(std::size_t(bins()) * std::size_t(count));
  const std::lock_guard lock(planner());
  forward_.reset(fftwf_plan_many_dft_r2c(1, &n, count, signals.data(), nullptr, 1, n, raw(spectra.data()),
                                         nullptr, 1, bins(), kPlanning));
  inverse_.reset(fftwf_plan_many_dft_c2r(1, &n, count, raw(spectra.data()), nullptr, 1, bins(),
                                         signals.data(), nullptr, 1, n, kPlanning));
}

void RealFft1d::forward(const FftBuffer<float>& signals, FftBuffer<Complex>& spectra) const {
  fftwf_execute_dft_r2c(plan_of(forward_), const_cast<float*>(signals.data()), raw(spectra.data()));
}

void RealFft1d::inverse(FftBuffer<Complex>& spectra, FftBuffer<float>& signals) const {
  fftwf_execute_dft_c2r(plan_of(inverse_), raw(spectra.data()), signals.data());
}

}  // namespace fmbym
