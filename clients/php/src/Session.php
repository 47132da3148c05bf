<?php

declare(strict_types=1);

namespace Lectern\Partner;

/** Requests as a service account: signs in, retries, and renews a refused token. */
final class Session
{
    /** Longer delays that a server requests are left to the caller. */
    private const RETRY_AFTER_MAX = 60;
    /** A token is renewed this many seconds before it expires, or after 90 % of its lifetime if that is later. */
    private const RENEW_BEFORE = 60;

    private readonly Http $http;
    private ?string $token = null;
    private float $renewAt = 0;

    /** @param list<int|float> $retryDelays */
    public function __construct(
        private readonly Address $address,
        private readonly string $serviceAccount,
        #[\SensitiveParameter] private readonly string $clientSecret,
        private readonly array $retryDelays,
        float $timeoutSeconds,
    ) {
        $this->http = new Http($timeoutSeconds);
    }

    /**
     * The JSON object of the answer. `$check` throws if the answer reports a failure.
     *
     * @param array<string, mixed>|string|null $body sent as JSON; text as it is
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    public function json(
        string $method,
        string $url,
        array|string|null $body = null,
        array $headers = [],
        ?callable $check = null,
    ): array {
        return $this->perform($url, function (array $token) use ($method, $url, $body, $headers, $check) {
            $content = $this->http->readObject($this->http->open($method, $url, $token + $headers, $body), $url);
            if ($check !== null) {
                $check($content);
            }
            return $content;
        });
    }

    /** @param array<string, string> $headers */
    public function text(string $url, array $headers): string
    {
        return $this->perform(
            $url,
            fn (array $token) => $this->http->readText($this->http->open('GET', $url, $token + $headers), $url),
        );
    }

    /**
     * The content of the answer, unread.
     *
     * @param array<string, string> $headers
     * @return resource
     */
    public function stream(string $url, array $headers)
    {
        return $this->perform($url, fn (array $token) => $this->http->open('GET', $url, $token + $headers));
    }

    public function forgetToken(): void
    {
        $this->token = null;
    }

    /** Secrets stay out of dumps. @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['serviceAccount' => $this->serviceAccount];
    }

    /** Retries, and renews a refused token once. */
    private function perform(string $url, callable $exchange): mixed
    {
        $mayRenew = $this->address->isSameOrigin($url);
        foreach ([...$this->retryDelays, null] as $delay) {
            try {
                return $this->attempt($url, $exchange, $mayRenew);
            } catch (LecternException $error) {
                $requested = $error->retryAfter ?? 0;
                if ($delay === null || !$error->retryable || $requested > self::RETRY_AFTER_MAX) {
                    throw $error;
                }
            }
            usleep((int) (max($delay, $requested) * 1_000_000));
        }
    }

    private function attempt(string $url, callable $exchange, bool &$mayRenew): mixed
    {
        if (!$this->address->isSameOrigin($url)) {
            return $exchange([]);
        }
        try {
            return $exchange(['Authorization' => 'Bearer ' . $this->currentToken()]);
        } catch (LecternException $error) {
            if ($error->status !== 401 || !$mayRenew) {
                throw $error;
            }
        }
        $mayRenew = false;
        $this->token = null;
        return $this->attempt($url, $exchange, $mayRenew);
    }

    private function currentToken(): string
    {
        if ($this->token !== null && microtime(true) < $this->renewAt) {
            return $this->token;
        }
        $requestedAt = microtime(true);
        $url = $this->address->of('/api/v1/integration/auth/token');
        $credentials = ['service_account' => $this->serviceAccount, 'client_secret' => $this->clientSecret];
        $content = $this->http->readObject($this->http->open('POST', $url, [], $credentials), $url);
        $token = $content['access_token'] ?? null;
        $seconds = $content['expires_in'] ?? null;
        $isValid = is_string($token) && preg_match('/^[\x21-\x7e]+\z/', $token) === 1;
        if (!$isValid || !is_numeric($seconds) || $seconds <= 0) {
            throw new LecternException('bad_answer', 'The server issued an invalid token.', 200);
        }
        $this->renewAt = $requestedAt + $seconds - min(self::RENEW_BEFORE, $seconds / 10);
        return $this->token = $token;
    }
}
