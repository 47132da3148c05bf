import type { RoomSlides } from '../room-types.ts'
import type { CallOptions, SlidesOptions } from '../session.ts'
import {
  type ActionOptions,
  type Page,
  type PageOptions,
  RequestsV2,
  type Result,
  type RoomListFilters,
} from './requests.ts'
import type {
  HostedRoom,
  HostedRoomRequest,
  LiveParticipant,
  RoomPerson,
  RoomPersonRequest,
} from './types.ts'

/** Rooms, their people, and their live sessions. */
export class RoomsV2 extends RequestsV2 {
  /** Creates the room, or gives an existing one the settings of the request. */
  async putRoom(
    room: string,
    settings: HostedRoomRequest = {},
    options?: CallOptions,
  ): Promise<Result<HostedRoom & { created: boolean }>> {
    return this.send('PUT', ['rooms', room], settings, options)
  }

  async getRoom(room: string, options?: CallOptions): Promise<Result<HostedRoom>> {
    return this.get(['rooms', room], options)
  }

  async listRooms(options?: RoomListFilters): Promise<Page<'rooms', HostedRoom>> {
    return this.get(['rooms'], options)
  }

  /** Omitted fields stay unchanged. */
  async updateRoom(
    room: string,
    changes: HostedRoomRequest,
    options?: CallOptions,
  ): Promise<Result<HostedRoom>> {
    return this.send('PATCH', ['rooms', room], changes, options)
  }

  /** Ends its session, revokes its links, and deletes recordings and chat; the event `room.deleted` follows. */
  async deleteRoom(room: string, options?: CallOptions): Promise<Result> {
    return this.send('DELETE', ['rooms', room], undefined, options)
  }

  /** Puts a PDF or an image on the board of the room. Large documents may need a longer `timeoutMs`. */
  async putSlides(
    room: string,
    document: Blob | Uint8Array<ArrayBuffer>,
    { name, ...options }: SlidesOptions = {},
  ): Promise<Result<{ slides: RoomSlides }>> {
    return this.upload(['rooms', room, 'slides'], document, { name }, options)
  }

  /** `slides` is null if none were put. */
  async getSlides(room: string, options?: CallOptions): Promise<Result<{ slides: RoomSlides | null }>> {
    return this.get(['rooms', room, 'slides'], options)
  }

  // --- People

  /** Adds the person, or changes what the request has. */
  async putPerson(
    room: string,
    person: string,
    settings: RoomPersonRequest = {},
    options?: CallOptions,
  ): Promise<Result<RoomPerson>> {
    return this.send('PUT', ['rooms', room, 'people', person], settings, options)
  }

  async getPerson(room: string, person: string, options?: CallOptions): Promise<Result<RoomPerson>> {
    return this.get(['rooms', room, 'people', person], options)
  }

  async listPeople(room: string, options?: PageOptions): Promise<Page<'people', RoomPerson>> {
    return this.get(['rooms', room, 'people'], options)
  }

  async deletePerson(room: string, person: string, options?: CallOptions): Promise<Result> {
    return this.send('DELETE', ['rooms', room, 'people', person], undefined, options)
  }

  /** Replaces the personal link. */
  async rotatePersonLink(room: string, person: string, options?: ActionOptions): Promise<Result<RoomPerson>> {
    return this.post(['rooms', room, 'people', person, 'rotate'], undefined, options)
  }

  // --- Live sessions

  async listParticipants(
    room: string,
    options?: CallOptions,
  ): Promise<Result<{ live: boolean; participants: LiveParticipant[] }>> {
    return this.get(['rooms', room, 'participants'], options)
  }

  async muteParticipant(
    room: string,
    participant: string,
    what: { source?: 'audio' | 'video' | 'screen' } = {},
    options?: ActionOptions,
  ): Promise<Result> {
    return this.post(['rooms', room, 'participants', participant, 'mute'], what, options)
  }

  async removeParticipant(room: string, participant: string, options?: ActionOptions): Promise<Result> {
    return this.post(['rooms', room, 'participants', participant, 'remove'], undefined, options)
  }

  async startRecording(room: string, options?: ActionOptions): Promise<Result> {
    return this.post(['rooms', room, 'recording', 'start'], undefined, options)
  }

  async stopRecording(room: string, options?: ActionOptions): Promise<Result> {
    return this.post(['rooms', room, 'recording', 'stop'], undefined, options)
  }

  async sendMessage(
    room: string,
    message: { text: string; display_name?: string },
    options?: ActionOptions,
  ): Promise<Result<{ message_id: number }>> {
    return this.post(['rooms', room, 'messages'], message, options)
  }

  async endSession(room: string, options?: ActionOptions): Promise<Result> {
    return this.post(['rooms', room, 'end'], undefined, options)
  }
}
