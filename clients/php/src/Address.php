<?php

declare(strict_types=1);

namespace Lectern\Partner;

/** Builds the URLs of the server, and decides which of them may receive the token. */
final class Address
{
    private const PORTS = ['http' => 80, 'https' => 443];
    private readonly string $base;

    public function __construct(string $baseUrl)
    {
        $parts = parse_url($baseUrl);
        if (self::origin($baseUrl) === null) {
            throw LecternException::invalidArgument('baseUrl is not an http(s) URL.');
        }
        if (array_intersect(['user', 'pass', 'query', 'fragment'], array_keys($parts)) !== []) {
            throw LecternException::invalidArgument('baseUrl must not contain credentials, a query or a fragment.');
        }
        $this->base = rtrim($baseUrl, '/');
    }

    /** The URL of `/api/…` below the base URL. */
    public function of(string $path): string
    {
        return $this->base . $path;
    }

    public function room(string $externalId, string $part = ''): string
    {
        // Counts code points, as the server does; null for text that is not UTF-8.
        if (preg_match('/^.{1,255}$/su', $externalId) !== 1) {
            throw LecternException::invalidArgument('external_id must be UTF-8 text of 1 to 255 characters.');
        }
        $path = '/api/v1/integration/rooms/' . self::segment($externalId, 'external_id');
        return $this->of($part === '' ? $path : "$path/$part");
    }

    /** The webhook, or what belongs to it. */
    public function webhook(string ...$parts): string
    {
        $below = array_map(fn ($part) => '/' . self::segment($part, 'delivery id'), $parts);
        return $this->of('/api/v1/integration/webhook' . implode('', $below));
    }

    /**
     * Leaves out what is null.
     *
     * @param array<string, string|int|null> $query
     */
    public static function withQuery(string $url, array $query): string
    {
        $given = array_filter($query, fn ($value) => $value !== null);
        foreach ($given as $name => $value) {
            if (preg_match('//u', (string) $value) !== 1) {
                throw LecternException::invalidArgument("The filter $name is not well-formed UTF-8 text.");
            }
        }
        return $given === [] ? $url : "$url?" . http_build_query($given, '', '&', PHP_QUERY_RFC3986);
    }

    /** A resource of version 2. @param list<string> $parts */
    public function v2(array $parts): string
    {
        $path = array_map(fn ($part) => self::segment($part, 'id'), $parts);
        return $this->of('/api/v2/integration/' . implode('/', $path));
    }

    /** A blob by its id, or by an absolute or relative URL of a record. */
    public function blob(string $urlOrId): string
    {
        if ($urlOrId === '') {
            throw LecternException::invalidArgument('The blob id or URL is empty: there is no such file.');
        }
        if (!str_contains($urlOrId, '/')) {
            return $this->of('/api/storage/blobs/' . self::segment($urlOrId, 'blob id'));
        }
        if (preg_match('/[\x00-\x20\x7f\\\\]/', $urlOrId) === 1) {
            throw LecternException::invalidArgument('The blob URL contains characters that URLs do not have.');
        }
        if (preg_match('#^/(?!/)#', $urlOrId) === 1) {
            return $this->of($urlOrId);
        }
        if (str_starts_with($urlOrId, '//')) {
            $urlOrId = parse_url($this->base, PHP_URL_SCHEME) . ':' . $urlOrId;
        } elseif (preg_match('/^[a-z][a-z0-9+.-]*:/i', $urlOrId) !== 1) {
            return $this->of("/$urlOrId");
        }
        if (self::origin($urlOrId) === null) {
            throw LecternException::invalidArgument('The blob URL is not an http(s) URL.');
        }
        return $urlOrId;
    }

    /** Whether the URL may receive the token. Another scheme or port is another origin. */
    public function isSameOrigin(string $url): bool
    {
        return self::origin($url) !== null && self::origin($url) === self::origin($this->base);
    }

    private static function origin(string $url): ?string
    {
        $parts = parse_url($url);
        $scheme = strtolower($parts['scheme'] ?? '');
        $port = $parts['port'] ?? self::PORTS[$scheme] ?? null;
        if ($port === null || !isset(self::PORTS[$scheme]) || ($parts['host'] ?? '') === '') {
            return null;
        }
        return $scheme . '://' . strtolower($parts['host']) . ":$port";
    }

    private static function segment(string $value, string $name): string
    {
        if (in_array($value, ['', '.', '..'], true)) {
            throw LecternException::invalidArgument("\"$value\" cannot be used as $name.");
        }
        if (str_contains($value, "\0") || preg_match('//u', $value) !== 1) {
            throw LecternException::invalidArgument("The $name is not well-formed UTF-8 text.");
        }
        return rawurlencode($value);
    }
}
