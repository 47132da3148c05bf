// The part of libsrtp 3's interface that the worker uses, on top of libsrtp 2.
#pragma once
#include <srtp2/srtp.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

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

// Version 3 has opaque policies, version 2 a structure to fill.
struct Srtp3Policy
{
  srtp_policy_t version2{};
  // One master key with its salt.
  uint8_t key[SRTP_MAX_KEY_LEN]{};

  ~Srtp3Policy()
  {
    // Clears the key. The compiler may not leave it out.
    std::memset(this->key, 0, sizeof(this->key));
    __asm__ volatile("" : : "r"(this->key) : "memory");
  }
};
#define srtp_policy_t Srtp3Policy*

static inline srtp_err_status_t srtp_policy_create(srtp_policy_t* policy)
{
  *policy = new (std::nothrow) Srtp3Policy;
  return *policy ? srtp_err_status_ok : srtp_err_status_alloc_fail;
}

static inline void srtp_policy_destroy(srtp_policy_t policy)
{
  delete policy;
}

static inline srtp_err_status_t srtp_policy_set_ssrc(srtp_policy_t policy, srtp_ssrc_t ssrc)
{
  policy->version2.ssrc = ssrc;
  return srtp_err_status_ok;
}

static inline srtp_err_status_t srtp_policy_set_profile(srtp_policy_t policy, srtp_profile_t profile)
{
  const auto error = srtp_crypto_policy_set_from_profile_for_rtp(&policy->version2.rtp, profile);
  return error != srtp_err_status_ok ? error
                                     : srtp_crypto_policy_set_from_profile_for_rtcp(&policy->version2.rtcp, profile);
}

// Once per policy, and without a master key identifier.
static inline srtp_err_status_t srtp_policy_add_key(
  srtp_policy_t policy, const uint8_t* key, size_t keyLen, const uint8_t* salt, size_t saltLen, const uint8_t* mki, size_t)
{
  if (policy->version2.key || mki || keyLen > sizeof(policy->key) || saltLen > sizeof(policy->key) - keyLen)
    return srtp_err_status_bad_param;
  std::memcpy(policy->key, key, keyLen);
  std::memcpy(policy->key + keyLen, salt, saltLen);
  policy->version2.key = policy->key;
  return srtp_err_status_ok;
}

static inline srtp_err_status_t srtp_policy_set_allow_repeat_tx(srtp_policy_t policy, bool allow)
{
  policy->version2.allow_repeat_tx = allow;
  return srtp_err_status_ok;
}

static inline srtp_err_status_t srtp_policy_set_window_size(srtp_policy_t policy, size_t packets)
{
  policy->version2.window_size = packets;
  return srtp_err_status_ok;
}

static inline srtp_err_status_t srtp_create(srtp_t* session, srtp_policy_t policy)
{
  return srtp_create(session, &policy->version2);
}
