/**
 * The shape of a signed link's token: base64url, made by the server's integration module. Whether it is
 * genuine only the server knows; the shape tells a mistyped or cut link from a forged one.
 */
export const LINK_TOKEN = /^[A-Za-z0-9_-]{32,1024}$/

/** The largest token that is looked at; longer ones are refused as malformed. */
export const LINK_TOKEN_MAX = 1024
