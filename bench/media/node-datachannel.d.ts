// Until the package is a dependency of this folder: what is used of its own types.
declare module 'node-datachannel' {
  export interface Track {
    sendMessageBinary(packet: Buffer): boolean
    onMessage(heard: (packet: Buffer) => void): void
  }
  export interface PeerConnection {
    close(): void
    addTrack(media: Media): Track
    setLocalDescription(type: 'offer' | 'answer'): void
    setRemoteDescription(sdp: string, type: 'offer' | 'answer'): void
    localDescription(): { sdp: string } | null
    onTrack(added: (track: Track) => void): void
    onStateChange(changed: (state: string) => void): void
    onGatheringStateChange(changed: (state: string) => void): void
  }
  interface Media {
    addSSRC(ssrc: number, name: string, msid: string, track: string): void
  }
  interface AudioMedia extends Media {
    addOpusCodec(payloadType: number): void
  }
  interface VideoMedia extends Media {
    addVP8Codec(payloadType: number): void
  }
  const library: {
    PeerConnection: new (
      name: string,
      config: { iceServers: string[]; disableAutoNegotiation: boolean },
    ) => PeerConnection
    Audio: new (mid: string, direction: 'SendOnly') => AudioMedia
    Video: new (mid: string, direction: 'SendOnly') => VideoMedia
    initLogger: (level: string) => void
  }
  export default library
}
