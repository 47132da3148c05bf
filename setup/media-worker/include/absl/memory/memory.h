#pragma once
#include <memory>

namespace absl
{
	using std::make_unique;
} // namespace absl
