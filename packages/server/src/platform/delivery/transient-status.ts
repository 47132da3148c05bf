const RETRYABLE = [408, 425, 429]

/** Whether a later attempt may be accepted. A status that HTTP does not have, as 600, counts as 5xx (RFC 9110, section 15). */
export const isTransientStatus = (status: number): boolean => RETRYABLE.includes(status) || status >= 500
