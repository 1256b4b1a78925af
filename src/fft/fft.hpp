// Real Fourier transforms in single precision over FFTW: plans and aligned buffers with owners. Plans are
// made once; executing them allocates nothing. Inverse transforms are unnormalised, as FFTW's.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

namespace fmbym {

using Complex = std::complex<float>;

// The smallest size ≥ n whose only prime factors are 2, 3 and 5, and that is even: cheap for FFTW.
int friendly_fft_size(int n);

namespace detail {
void* fft_allocate(std::size_t bytes);
void fft_free(void* memory);
struct FreeFft {
  void operator()(void* memory) const { fft_free(memory); }
};
struct DestroyPlan {
  void operator()(void* plan) const;
};
using PlanPtr = std::unique_ptr<void, DestroyPlan>;
}  // namespace detail

// Memory aligned for FFTW's vector instructions, zero at first.
template <class T>
class FftBuffer {
 public:
  FftBuffer() = default;
  explicit FftBuffer(std::size_t count)
      : data_(static_cast<T*>(detail::fft_allocate(count * sizeof(T)))), count_(count) {}

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  std::size_t size() const { return count_; }
  T* begin() { return data(); }
  T* end() { return data() + count_; }

 private:
  std::unique_ptr<T, detail::FreeFft> data_;
  std::size_t count_ = 0;
};

struct RowRange {
  int first = 0, count = 0;
};

// The spectrum of an n×n real image: n/2+1 column frequencies by n row frequencies. Transposed like this the
// transforms are up to twice as fast as in the image's own order, and FFTW needs no buffers of its own.
inline int spectrum_columns(int n) {
  return n / 2 + 1;
}
inline std::size_t spectrum_count(int n) {
  return std::size_t(n) * std::size_t(spectrum_columns(n));
}
inline std::size_t image_count(int n) {
  return std::size_t(n) * std::size_t(n);
}

// Image → spectrum. Only the rows given hold anything: the others count as zeros and are not looked at, which
// spares their transforms.
class ForwardFft2d {
 public:
  ForwardFft2d(int n, RowRange filled);
  void operator()(const FftBuffer<float>& image, FftBuffer<Complex>& spectrum);

 private:
  int n_;
  RowRange filled_;
  FftBuffer<Complex> half_way_;  // (row, column frequency)
  detail::PlanPtr rows_, columns_;
};

// Spectrum → those rows of the image that are wanted. Only the first column frequencies, as many as are
// filled, hold anything: the others count as zeros and are not looked at.
class InverseFft2d {
 public:
  InverseFft2d(int n, RowRange wanted, int filled);
  InverseFft2d(int n, RowRange wanted) : InverseFft2d(n, wanted, spectrum_columns(n)) {}
  void operator()(const FftBuffer<Complex>& spectrum, FftBuffer<float>& image);

 private:
  int n_;
  RowRange wanted_;
  int filled_;
  FftBuffer<Complex> half_way_;  // (row, column frequency)
  detail::PlanPtr columns_, rows_;
};

// `count` real signals of length n, one after the other ↔ as many spectra of length n/2+1.
class RealFft1d {
 public:
  RealFft1d(int n, int count);
  int length() const { return n_; }
  int bins() const { return n_ / 2 + 1; }
  int count() const { return count_; }

  void forward(const FftBuffer<float>& signals, FftBuffer<Complex>& spectra) const;
  void inverse(FftBuffer<Complex>& spectra, FftBuffer<float>& signals) const;  // overwrites the spectra

 private:
  int n_, count_;
  detail::PlanPtr forward_, inverse_;
};

}  // namespace fmbym
