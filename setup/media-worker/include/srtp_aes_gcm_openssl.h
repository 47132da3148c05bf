// AES-GCM of SRTP (RFC 7714) by OpenSSL.
#pragma once
#include <srtp2/srtp.h>

// Makes libsrtp encrypt AES-GCM with OpenSSL in all later sessions. Call it once, after srtp_init(). libsrtp runs the known
// answers of RFC 7714, and its own, on the new cipher. On an error libsrtp's own cipher remains.
srtp_err_status_t srtp_use_openssl_for_aes_gcm();
