// Debian builds libsrtp with NSS, whose AES-GCM needs much more CPU time for each packet than OpenSSL's.
#include "srtp_aes_gcm_openssl.h"
#include "rfc7714_known_answers.h"
#include <openssl/evp.h>
#include <srtp2/cipher.h>
#include <memory>
#include <new>

namespace
{
	constexpr int LongTagBytes{ 16 };
	constexpr int ShortTagBytes{ 8 };

	// One key size of AES-GCM.
	struct Variant
	{
		srtp_cipher_type_id_t id;
		int saltedKeyBytes;
		const char* name;
		const char* description;
		EVP_CIPHER* cipher;
		srtp_cipher_type_t type;
	};

	Variant aes128{ SRTP_AES_GCM_128, SRTP_AES_GCM_128_KEY_LEN_WSALT, "AES-128-GCM", "AES-128 GCM by OpenSSL", nullptr, {} };
	Variant aes256{ SRTP_AES_GCM_256, SRTP_AES_GCM_256_KEY_LEN_WSALT, "AES-256-GCM", "AES-256 GCM by OpenSSL", nullptr, {} };

	struct FreeContext
	{
		void operator()(EVP_CIPHER_CTX* context) const
		{
			// Clears the key.
			EVP_CIPHER_CTX_free(context);
		}
	};

	// The key of one direction of a session. libsrtp calls set_iv, set_aad, then encrypt and get_tag, or decrypt.
	struct Gcm
	{
		srtp_cipher_t handle{};
		std::unique_ptr<EVP_CIPHER_CTX, FreeContext> context;
		const EVP_CIPHER* cipher{ nullptr };
		int tagBytes{ 0 };
		bool encrypts{ false };
	};

	Gcm* fromState(void* state)
	{
		return static_cast<Gcm*>(state);
	}

	srtp_err_status_t allocate(srtp_cipher_pointer_t* handle, int saltedKeyBytes, int tagBytes)
	{
		const Variant& variant = saltedKeyBytes == aes256.saltedKeyBytes ? aes256 : aes128;

		if (saltedKeyBytes != variant.saltedKeyBytes || (tagBytes != LongTagBytes && tagBytes != ShortTagBytes))
		{
			return srtp_err_status_bad_param;
		}

		std::unique_ptr<Gcm> gcm(new (std::nothrow) Gcm);

		if (!gcm)
		{
			return srtp_err_status_alloc_fail;
		}

		gcm->context.reset(EVP_CIPHER_CTX_new());

		if (!gcm->context)
		{
			return srtp_err_status_alloc_fail;
		}

		gcm->cipher           = variant.cipher;
		gcm->tagBytes         = tagBytes;
		gcm->handle.type      = &variant.type;
		gcm->handle.state     = gcm.get();
		gcm->handle.key_len   = saltedKeyBytes;
		gcm->handle.algorithm = static_cast<int>(variant.id);
		*handle               = &gcm.release()->handle;

		return srtp_err_status_ok;
	}

	srtp_err_status_t deallocate(srtp_cipher_pointer_t handle)
	{
		delete fromState(handle->state);

		return srtp_err_status_ok;
	}

	// The salt after the key is libsrtp's: it is part of the IV.
	srtp_err_status_t setKey(void* state, const uint8_t* key)
	{
		auto* gcm = fromState(state);

		return EVP_CipherInit_ex2(gcm->context.get(), gcm->cipher, key, nullptr, 1, nullptr) == 1
		         ? srtp_err_status_ok
		         : srtp_err_status_init_fail;
	}

	// Begins a packet. The expanded key remains.
	srtp_err_status_t setIv(void* state, uint8_t* iv, srtp_cipher_direction_t direction)
	{
		auto* gcm = fromState(state);

		if (direction != srtp_direction_encrypt && direction != srtp_direction_decrypt)
		{
			return srtp_err_status_bad_param;
		}

		gcm->encrypts = direction == srtp_direction_encrypt;

		return EVP_CipherInit_ex2(gcm->context.get(), nullptr, nullptr, iv, gcm->encrypts ? 1 : 0, nullptr) == 1
		         ? srtp_err_status_ok
		         : srtp_err_status_init_fail;
	}

	srtp_err_status_t addAad(void* state, const uint8_t* aad, uint32_t bytes)
	{
		int written{ 0 };

		return EVP_CipherUpdate(fromState(state)->context.get(), nullptr, &written, aad, static_cast<int>(bytes)) == 1
		         ? srtp_err_status_ok
		         : srtp_err_status_algo_fail;
	}

	// In place. GCM has no blocks to fill: as many bytes come out as go in.
	bool update(Gcm* gcm, uint8_t* buffer, int bytes)
	{
		int written{ 0 };

		return bytes == 0 || (EVP_CipherUpdate(gcm->context.get(), buffer, &written, buffer, bytes) == 1 && written == bytes);
	}

	// Computes the tag, or compares it.
	bool finish(Gcm* gcm)
	{
		uint8_t none[EVP_MAX_BLOCK_LENGTH];
		int written{ 0 };

		return EVP_CipherFinal_ex(gcm->context.get(), none, &written) == 1;
	}

	srtp_err_status_t encrypt(void* state, uint8_t* buffer, unsigned int* bytes)
	{
		auto* gcm = fromState(state);

		if (!gcm->encrypts)
		{
			return srtp_err_status_bad_param;
		}

		return update(gcm, buffer, static_cast<int>(*bytes)) ? srtp_err_status_ok : srtp_err_status_cipher_fail;
	}

	srtp_err_status_t getTag(void* state, uint8_t* tag, uint32_t* bytes)
	{
		auto* gcm = fromState(state);

		if (!gcm->encrypts || !finish(gcm) ||
		    EVP_CIPHER_CTX_ctrl(gcm->context.get(), EVP_CTRL_AEAD_GET_TAG, gcm->tagBytes, tag) != 1)
		{
			return srtp_err_status_cipher_fail;
		}

		*bytes = static_cast<uint32_t>(gcm->tagBytes);

		return srtp_err_status_ok;
	}

	// The tag follows the ciphertext. With a wrong tag the content of the buffer MUST NOT be used.
	srtp_err_status_t decrypt(void* state, uint8_t* buffer, unsigned int* bytes)
	{
		auto* gcm      = fromState(state);
		const int body = static_cast<int>(*bytes) - gcm->tagBytes;

		if (gcm->encrypts || body < 0)
		{
			return srtp_err_status_bad_param;
		}

		if (EVP_CIPHER_CTX_ctrl(gcm->context.get(), EVP_CTRL_AEAD_SET_TAG, gcm->tagBytes, buffer + body) != 1 ||
		    !update(gcm, buffer, body))
		{
			return srtp_err_status_cipher_fail;
		}

		if (!finish(gcm))
		{
			return srtp_err_status_auth_fail;
		}

		*bytes = static_cast<unsigned int>(body);

		return srtp_err_status_ok;
	}

	srtp_err_status_t replace(Variant& variant)
	{
		if (!variant.cipher)
		{
			variant.cipher = EVP_CIPHER_fetch(nullptr, variant.name, nullptr);
		}

		if (!variant.cipher)
		{
			return srtp_err_status_init_fail;
		}

		variant.type = { allocate,
			               deallocate,
			               setKey,
			               addAad,
			               encrypt,
			               decrypt,
			               setIv,
			               getTag,
			               variant.description,
			               knownAnswers(variant.id),
			               variant.id };

		return srtp_replace_cipher_type(&variant.type, variant.id);
	}
} // namespace

srtp_err_status_t srtp_use_openssl_for_aes_gcm()
{
	const auto error = replace(aes128);

	return error == srtp_err_status_ok ? replace(aes256) : error;
}
