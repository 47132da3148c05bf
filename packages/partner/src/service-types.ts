export interface TokenResponse {
  result: 200
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: null
}

export interface ServerInfoResponse {
  result: 200
  api: { version: 'v1'; base_path: '/api/v1/integration'; features: string[] }
  server: { name: string; version: string }
}
