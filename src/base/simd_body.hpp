// The hot loops, as templates over a vector type V, and the table of them for one instruction set.
// simd_avx2.cpp and simd_avx512.cpp include this file for their targets. Everything is a template
// and always_inline, or static, and no standard header may be included first here: code compiled
// for one of them must not be shared with the rest of the program, which may run on any processor.
#pragma once

#include "simd_elements.hpp"
#include "simd_pairs.hpp"
#include "simd_smo.hpp"

// Defines the functions and the table of one instruction set; WIDTH is the number of doubles in
// a vector.
#define MK_SIMD_TABLE(WIDTH, NAME)                                                                 \
  using V = simd_body::Lanes<WIDTH>;                                                               \
  static void reduce_dot(const PanelPair& p, double* out) { simd_body::reduce_dots<V>(p, out); }   \
  static void reduce_squared(const PanelPair& p, double* out) {                                    \
    simd_body::reduce_squared<V>(p, out);                                                          \
  }                                                                                                \
  static void reduce_absolute(const PanelPair& p, double* out) {                                   \
    simd_body::reduce_panels<V>(p, out, simd_body::AbsoluteDistanceStep<V>());                     \
  }                                                                                                \
  static void reduce_minimum(const PanelPair& p, double* out) {                                    \
    simd_body::reduce_panels<V>(p, out, simd_body::MinimumStep<V>());                              \
  }                                                                                                \
  static void reduce_chi_squared(const PanelPair& p, double* out) {                                \
    simd_body::reduce_panels<V>(p, out, simd_body::ChiSquaredStep<V>());                           \
  }                                                                                                \
  static void reduce_anova(const PanelPair& p, double* out) {                                      \
    simd_body::reduce_panels<V>(p, out, simd_body::AnovaStep<V>());                                \
  }                                                                                                \
  static void exp_decay(const double* in, double rate, double* out, Index n) {                     \
    simd_body::transform<V>(in, out, n, simd_body::ExpDecay<V>{-rate * simd_body::log2_e});        \
  }                                                                                                \
  static void waves(const double* turns, double scale, double* cosine, double* sine, Index n) {    \
    simd_body::waves<V>(turns, scale, cosine, sine, n);                                            \
  }                                                                                                \
  static void square(const double* in, double* out, Index n) {                                     \
    simd_body::transform<V>(in, out, n, simd_body::Square<V>());                                   \
  }                                                                                                \
  static void affine_power(const double* in, double scale, double offset, int degree, double* out, \
                           Index n) {                                                              \
    simd_body::transform<V>(in, out, n, simd_body::AffinePower<V>{scale, offset, degree});         \
  }                                                                                                \
  static void axpy(double weight, const double* in, double* out, Index n) {                        \
    simd_body::axpy<V>(weight, in, out, n);                                                        \
  }                                                                                                \
  static void store_mirrored(const double* values, double factor, Index a_count, Index b_count,    \
                             double* direct, double* mirror, Index stride) {                       \
    simd_body::store_mirrored<simd_body::WritingLanes<V>>(values, factor, a_count, b_count,        \
                                                          direct, mirror, stride);                 \
  }                                                                                                \
  static void write_rest(TileOnItsWay& tile) { simd_body::write_rest<V>(tile); }                   \
  static void fence() { simd_body::fence(); }                                                      \
  static double dot(const double* x, const double* y, Index n) {                                   \
    return simd_body::dot<V>(x, y, n);                                                             \
  }                                                                                                \
  static double dot_narrow(const float* x, const double* y, Index n) {                             \
    return simd_body::dot<V>(x, y, n);                                                             \
  }                                                                                                \
  static void axpy_narrow(double weight, const float* in, double* out, Index n) {                  \
    simd_body::axpy<V>(weight, in, out, n);                                                        \
  }                                                                                                \
  static SmoExtremes smo_scan(const SmoArrays& s) {                                                \
    return simd_body::smo_pass<V, false, double>(s, nullptr, nullptr, 0.0);                        \
  }                                                                                                \
  static SmoExtremes smo_update(const SmoArrays& s, const double* ci, const double* cj,            \
                                double step) {                                                     \
    return simd_body::smo_pass<V, true>(s, ci, cj, step);                                          \
  }                                                                                                \
  static SmoExtremes smo_update_narrow(const SmoArrays& s, const float* ci, const float* cj,       \
                                       double step) {                                              \
    return simd_body::smo_pass<V, true>(s, ci, cj, step);                                          \
  }                                                                                                \
  static Index smo_partner(const SmoArrays& s, const double* ci, double gi, double half) {         \
    return simd_body::smo_partner<V>(s, ci, gi, half);                                             \
  }                                                                                                \
  static Index smo_partner_narrow(const SmoArrays& s, const float* ci, double gi, double half) {   \
    return simd_body::smo_partner<V>(s, ci, gi, half);                                             \
  }                                                                                                \
  extern const Simd table = {NAME,                                                                 \
                             {reduce_dot, reduce_squared, reduce_absolute, reduce_minimum,         \
                              reduce_chi_squared, reduce_anova},                                   \
                             exp_decay,                                                            \
                             waves,                                                                \
                             square,                                                               \
                             affine_power,                                                         \
                             axpy,                                                                 \
                             store_mirrored,                                                       \
                             write_rest,                                                           \
                             fence,                                                                \
                             dot,                                                                  \
                             dot_narrow,                                                           \
                             axpy_narrow,                                                          \
                             smo_scan,                                                             \
                             smo_update,                                                           \
                             smo_partner,                                                          \
                             smo_update_narrow,                                                    \
                             smo_partner_narrow};
