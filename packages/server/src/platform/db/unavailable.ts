/** The database could not be reached, or did not answer in time. The message contains no password. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  readonly code = 'DATABASE_UNAVAILABLE'

  constructor(cause: Error & { code?: unknown }) {
    super(`The database is not available (${cause.message || String(cause.code)}).`)
    // One line in the log for each request: where in the driver it happened helps nobody.
    this.stack = `${this.name}: ${this.message}`
  }
}
