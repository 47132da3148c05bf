/** Types for the part of the library that sdp/ uses; it has none of its own. */
declare module 'sdp-transform' {
  export interface MediaDescription {
    type: string
    port: number
    protocol: string
    payloads?: string | undefined
    mid?: string | number
    direction?: string | undefined
    setup?: string
    rtcpMux?: string
    bundleOnly?: string
    rtp: { payload: number; codec: string }[]
    fmtp: { payload: number; config: string }[]
    ext?: { value: number; uri: string }[] | undefined
    ssrcs?: { id: number }[]
    rids?: { id: string | number; direction: string; params?: string }[]
    simulcast?: { dir1?: string; list1?: string; dir2?: string; list2?: string } | undefined
    ssrcGroups?: { semantics: string; ssrcs: string | number }[]
    connection?: { version: number; ip: string }
    [name: string]: unknown
  }
  export interface SessionDescription {
    media: MediaDescription[]
    setup?: string
    direction?: string | undefined
    ext?: MediaDescription['ext']
    groups?: { type: string; mids: string | number }[]
    [name: string]: unknown
  }
  export function parse(sdp: string): SessionDescription
  /** The streams, each with its alternatives. */
  export function parseSimulcastStreamList(list: string): { scid: string | number; paused: boolean }[][]
  export function write(session: object): string
}
