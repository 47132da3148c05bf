// What libwebrtc uses of Abseil has a standard equivalent.
#pragma once
#include <optional>

namespace absl
{
	using std::nullopt;
	using std::optional;
} // namespace absl
