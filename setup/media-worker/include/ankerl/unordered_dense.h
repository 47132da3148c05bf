// The part of unordered_dense that the worker uses, which Debian 12 lacks, by the standard library. Its containers keep all
// promises of the others, and compile in less time than Abseil's.
#pragma once
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace ankerl::unordered_dense
{
	template<typename Key>
	using hash = std::hash<Key>;

	template<typename Key, typename Value, typename Hash = hash<Key>>
	using map = std::unordered_map<Key, Value, Hash>;

	template<typename Key, typename Hash = hash<Key>>
	using set = std::unordered_set<Key, Hash>;
} // namespace ankerl::unordered_dense
