#include "rfc7714_known_answers.h"
#include <list>
#include <string>
#include <vector>

namespace
{
	using Bytes = std::vector<uint8_t>;

	Bytes fromHex(const std::string& hex)
	{
		Bytes bytes;

		for (size_t at = 0; at + 1 < hex.size(); at += 2)
		{
			bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(at, 2), nullptr, 16)));
		}

		return bytes;
	}

	struct Example
	{
		Bytes key;
		Bytes iv;
		Bytes aad;
		Bytes plaintext;
		// With the tag.
		Bytes ciphertext;
		srtp_cipher_test_case_t testCase{};
	};

	constexpr int TagBytes{ 16 };

	const std::string Key128("000102030405060708090a0b0c0d0e0f");
	const std::string Key256(Key128 + "101112131415161718191a1b1c1d1e1f");
	// "Quid pro quo". libsrtp has already put it into the IVs below.
	const std::string Salt("517569642070726f2071756f");

	const std::string RtpIv("51753c6580c2726f20718414");
	const std::string RtpHeader("8040f17b8041f8d35501a0b2");
	// "Gallia est omnis divisa in partes tres"
	const std::string RtpPayload("47616c6c696120657374206f6d6e69732064697669736120696e207061727465732074726573");

	const std::string RtcpIv("517524055203726f207170bb");
	const std::string RtcpHeader("81c8000d4d617273");
	const std::string RtcpBody("4e5450314e545032525450200000042a0000e9304c756e61deadbeefdeadbeefdeadbeefdeadbeefdeadbeef");
	// The index of the packet, with and without the flag for encryption.
	const std::string EncryptedIndex("800005d4");
	const std::string PlainIndex("000005d4");

	class Examples
	{
	public:
		void add(const std::string& key, const std::string& iv, const std::string& aad, const std::string& plaintext, const std::string& ciphertext)
		{
			this->list.push_back({ fromHex(key + Salt), fromHex(iv), fromHex(aad), fromHex(plaintext), fromHex(ciphertext), {} });

			Example& example = this->list.back();

			example.testCase = { static_cast<int>(example.key.size()),
				                   example.key.data(),
				                   example.iv.data(),
				                   static_cast<unsigned int>(example.plaintext.size()),
				                   example.plaintext.data(),
				                   static_cast<unsigned int>(example.ciphertext.size()),
				                   example.ciphertext.data(),
				                   static_cast<int>(example.aad.size()),
				                   example.aad.data(),
				                   TagBytes,
				                   this->first };
			this->first = &example.testCase;
		}

		const srtp_cipher_test_case_t* first{ nullptr };

	private:
		// A list, because the test cases point into it.
		std::list<Example> list;
	};

	Examples examples128()
	{
		Examples examples;

		// Section 16.1.1.
		examples.add(
		  Key128,
		  RtpIv,
		  RtpHeader,
		  RtpPayload,
		  "f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833899d7f27beb16a9152cf765ee4390cce");
		// Section 17.1.
		examples.add(
		  Key128,
		  RtcpIv,
		  RtcpHeader + EncryptedIndex,
		  RtcpBody,
		  "63e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda4ce09b4686303ded0bb9275bc84aa45896cf4d2fc5abf87245d9eade");
		// Section 17.3: authenticated only.
		examples.add(
		  Key128, RtcpIv, RtcpHeader + RtcpBody + PlainIndex, "", "841dd9683dd78ec92ae58790125f62b3");

		return examples;
	}

	Examples examples256()
	{
		Examples examples;

		// Section 16.2.1.
		examples.add(
		  Key256,
		  RtpIv,
		  RtpHeader,
		  RtpPayload,
		  "32b1de78a822fe12ef9f78fa332e33aab18012389a58e2f3b50b2a0276ffae0f1ba63799b87b7aa3db36dfffd6b0f9bb7878d7a76c13");
		// Section 17.2.
		examples.add(
		  Key256,
		  RtcpIv,
		  RtcpHeader + EncryptedIndex,
		  RtcpBody,
		  "d50ae4d1f5ce5d304ba297e47d470c282c3ece5dbffe0a50a2eaa5c1110555be8415f658c61de0476f1b6fad1d1eb30c4446839f57ff6f6cb26ac3be");

		return examples;
	}
} // namespace

const srtp_cipher_test_case_t* knownAnswers(srtp_cipher_type_id_t id)
{
	static const Examples Of128(examples128());
	static const Examples Of256(examples256());

	return id == SRTP_AES_GCM_256 ? Of256.first : Of128.first;
}
