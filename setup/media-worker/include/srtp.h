// The part of libsrtp 3's interface that the worker uses, on top of libsrtp 2.
#pragma once
#include <srtp2/srtp.h>
#include <cstddef>
#include <cstdint>
#include <cstring>

// Two errors that only version 3 has; version 2 ends at 27.
static constexpr auto srtp_err_status_buffer_small = static_cast<srtp_err_status_t>(28);
static constexpr auto srtp_err_status_cryptex_err  = static_cast<srtp_err_status_t>(29);

// Version 3 reads one buffer and writes another; version 2 works in place. The last argument, the index of the
// master key, is passed on where version 2 has it too.
#define SRTP_IN_PLACE(NAME, ...)                                                                 \
  static inline srtp_err_status_t NAME(                                                          \
    srtp_t ctx, const uint8_t* in, size_t inLen, uint8_t* out, size_t* outLen, ##__VA_ARGS__)    \
  {                                                                                              \
    if (*outLen < inLen)                                                                         \
      return srtp_err_status_buffer_small;                                                       \
    if (out != in)                                                                               \
      std::memcpy(out, in, inLen);                                                               \
    int len          = static_cast<int>(inLen);                                                  \
    const auto error = NAME(ctx, static_cast<void*>(out), &len);                                 \
    if (error == srtp_err_status_ok)                                                             \
      *outLen = static_cast<size_t>(len);                                                        \
    return error;                                                                                \
  }

SRTP_IN_PLACE(srtp_protect, size_t)
SRTP_IN_PLACE(srtp_protect_rtcp, size_t)
SRTP_IN_PLACE(srtp_unprotect)
SRTP_IN_PLACE(srtp_unprotect_rtcp)

static inline srtp_err_status_t srtp_stream_remove(srtp_t ctx, uint32_t ssrc)
{
  return srtp_remove_stream(ctx, ssrc);
}
