/**
 * The format of a signed link's token: base64url, issued by the server's integration module. Only the
 * server can verify it; the format distinguishes a truncated or mistyped link from a forged one.
 */
export const LINK_TOKEN = /^[A-Za-z0-9_-]{32,1024}$/

/** The maximum length of a token; longer ones are rejected as malformed. */
export const LINK_TOKEN_MAX = 1024
