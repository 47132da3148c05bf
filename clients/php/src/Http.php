<?php

declare(strict_types=1);

namespace Lectern\Partner;

/** One HTTP exchange over PHP's streams: no redirects, errors as LecternException. */
final class Http
{
    private const ERROR_BYTES_MAX = 65_536;

    public function __construct(private readonly float $timeoutSeconds)
    {
    }

    /**
     * Sends a request; returns the stream of the body, unread. The timeout limits each wait for the server.
     *
     * @param array<string, string> $headers
     * @param array<string, mixed>|string|null $body sent as JSON; text as it is
     * @return resource
     */
    public function open(string $method, string $url, array $headers = [], array|string|null $body = null)
    {
        $headers += ['Accept' => 'application/json', 'Connection' => 'close'];
        $options = [
            'method' => $method,
            'follow_location' => 0, // a redirect would send credentials to another URL
            'ignore_errors' => true,
            'timeout' => $this->timeoutSeconds,
            'protocol_version' => 1.1,
        ];
        if (is_string($body)) {
            $headers['Content-Type'] = 'application/octet-stream';
            $options['content'] = $body;
        } elseif ($body !== null) {
            $headers['Content-Type'] = 'application/json';
            $options['content'] = self::toJson($body);
        } elseif ($method === 'POST') {
            $headers['Content-Length'] = '0';
        }
        $options['header'] = array_map(fn ($name) => "$name: {$headers[$name]}", array_keys($headers));

        $stream = @fopen($url, 'rb', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            throw self::networkError($url);
        }
        $lines = stream_get_meta_data($stream)['wrapper_data'] ?? [];
        $status = preg_match('#^HTTP/\S+ (\d{3})#', $lines[0] ?? '', $match) === 1 ? (int) $match[1] : 0;
        if ($status >= 200 && $status < 300) {
            return $stream;
        }
        $content = (string) @stream_get_contents($stream, self::ERROR_BYTES_MAX);
        fclose($stream);
        throw $status === 0 ? self::networkError($url) : self::refusal($status, $content, $lines);
    }

    /** @param array<string, mixed> $body */
    private static function toJson(array $body): string
    {
        return json_encode(self::shaped($body, isObject: true), JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
    }

    /** PHP has one type for lists and objects. No list of the API is empty, and the names of metadata may be numbers. */
    private static function shaped(mixed $value, bool $isObject = false): mixed
    {
        if (!is_array($value)) {
            return $value;
        }
        $items = [];
        foreach ($value as $name => $item) {
            $items[$name] = self::shaped($item, $name === 'metadata');
        }
        return $isObject || $items === [] || !array_is_list($items) ? (object) $items : $items;
    }

    /**
     * Reads the JSON object of an answer.
     *
     * @param resource $stream
     * @return array<string, mixed>
     */
    public function readObject($stream, string $url): array
    {
        return self::parseObject($this->readText($stream, $url))
            ?? throw new LecternException('bad_answer', 'The answer of the server is not a JSON object.', 200);
    }

    /** Reads all of an answer. @param resource $stream */
    public function readText($stream, string $url): string
    {
        $text = @stream_get_contents($stream);
        $isCut = $text === false || stream_get_meta_data($stream)['timed_out'] || self::isCut($stream, $text);
        fclose($stream);
        if ($isCut) {
            throw self::networkError($url);
        }
        return $text;
    }

    /** PHP does not report an answer that ends before its Content-Length. @param resource $stream */
    private static function isCut($stream, string $text): bool
    {
        $length = self::header(stream_get_meta_data($stream)['wrapper_data'] ?? [], 'content-length');
        return $length !== null && strlen($text) < (int) $length;
    }

    private static function networkError(string $url): LecternException
    {
        $host = parse_url($url, PHP_URL_HOST);
        return new LecternException('network_error', "The connection to $host failed.", retryable: true);
    }

    /** @param list<string> $lines */
    private static function refusal(int $status, string $body, array $lines): LecternException
    {
        if ($status >= 300 && $status < 400) {
            $message = 'The server answered with a redirect; check baseUrl.';
            return new LecternException('redirected', $message, $status);
        }
        $content = self::parseObject($body) ?? [];
        $code = $content['code'] ?? null;
        $message = $content['message'] ?? null;
        return new LecternException(
            is_string($code) ? $code : "http_$status",
            is_string($message) ? $message : "The server answered with status $status.",
            $status,
            $status === 429 || $status >= 500,
            self::retryAfter(self::header($lines, 'retry-after')),
            self::header($lines, 'x-request-id'),
        );
    }

    /** Retry-After in seconds or as a date (RFC 9110, 10.2.3). */
    private static function retryAfter(?string $value): ?int
    {
        if ($value === null || ctype_digit($value)) {
            return $value === null ? null : (int) $value;
        }
        $at = strtotime($value);
        return $at === false ? null : max(0, $at - time());
    }

    /** @param list<string> $lines */
    private static function header(array $lines, string $name): ?string
    {
        foreach ($lines as $line) {
            if (stripos($line, "$name:") === 0) {
                return trim(substr($line, strlen($name) + 1));
            }
        }
        return null;
    }

    /** @return array<string, mixed>|null */
    private static function parseObject(string $text): ?array
    {
        $value = json_decode($text);
        return $value instanceof \stdClass ? json_decode($text, true) : null;
    }
}
