#pragma once
#include <srtp2/cipher.h>

// The examples of RFC 7714 (sections 16 and 17) for AES-GCM with one key size, for libsrtp's self-test. They live as long as the process.
const srtp_cipher_test_case_t* knownAnswers(srtp_cipher_type_id_t id);
