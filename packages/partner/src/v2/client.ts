import type { CallOptions } from '../session.ts'
import { EventPages } from './event-pages.ts'
import type {
  Endpoint,
  EndpointChange,
  EndpointDelivery,
  EndpointDeliveryDetails,
  EndpointRequest,
  EventListResponse,
  NewEndpoint,
} from './event-types.ts'
import type {
  ActionOptions,
  EndpointDeliveryOptions,
  EventFilters,
  OrderedPageOptions,
  Page,
  Result,
  RoomPageOptions,
  TranscriptPageOptions,
} from './requests.ts'
import { RoomsV2 } from './rooms.ts'
import type {
  RecordingLink,
  RecordingLinkRequest,
  StoredRecording,
  StoredTranscript,
  Usage,
  WholeTranscript,
} from './types.ts'

/** Version 2 of the partner API: people, live control, endpoints, events, recordings (`client.v2`). */
export class PartnerV2 extends RoomsV2 {
  // --- Events and endpoints

  /** A page of the events of the last 30 days. */
  async listEvents(options?: EventFilters & OrderedPageOptions): Promise<EventListResponse> {
    return this.get(['events'], options)
  }

  /** All events after a position, of as many pages as there are: `for await (const event of client.v2.events({ after }))`. */
  events({ after = 0, ...options }: EventFilters = {}): EventPages {
    return new EventPages(after, position => this.listEvents({ ...options, after: position }))
  }

  async addEndpoint(endpoint: EndpointRequest, options?: ActionOptions): Promise<Result<NewEndpoint>> {
    return this.post(['endpoints'], endpoint, options)
  }

  async listEndpoints(options?: CallOptions): Promise<Result<{ endpoints: Endpoint[] }>> {
    return this.get(['endpoints'], options)
  }

  async getEndpoint(endpoint: string, options?: CallOptions): Promise<Result<Endpoint>> {
    return this.get(['endpoints', endpoint], options)
  }

  async updateEndpoint(
    endpoint: string,
    changes: EndpointChange,
    options?: CallOptions,
  ): Promise<Result<Endpoint>> {
    return this.send('PATCH', ['endpoints', endpoint], changes, options)
  }

  async deleteEndpoint(endpoint: string, options?: CallOptions): Promise<Result> {
    return this.send('DELETE', ['endpoints', endpoint], undefined, options)
  }

  /** Sends an event of the type `webhook.test`, which is in no list. */
  async testEndpoint(endpoint: string, options?: ActionOptions): Promise<Result<EndpointDelivery>> {
    return this.post(['endpoints', endpoint, 'test'], undefined, options)
  }

  async rotateEndpointSecret(
    endpoint: string,
    rotation: { secret?: string; overlap_seconds?: number } = {},
    options?: ActionOptions,
  ): Promise<Result<NewEndpoint>> {
    return this.post(['endpoints', endpoint, 'rotate'], rotation, options)
  }

  async listEndpointDeliveries(
    endpoint: string,
    options?: EndpointDeliveryOptions,
  ): Promise<Page<'deliveries', EndpointDelivery>> {
    return this.get(['endpoints', endpoint, 'deliveries'], options)
  }

  async getEndpointDelivery(
    endpoint: string,
    delivery: string,
    options?: CallOptions,
  ): Promise<Result<EndpointDeliveryDetails>> {
    return this.get(['endpoints', endpoint, 'deliveries', delivery], options)
  }

  async replayEndpointDelivery(
    endpoint: string,
    delivery: string,
    options?: ActionOptions,
  ): Promise<Result<EndpointDelivery>> {
    return this.post(['endpoints', endpoint, 'deliveries', delivery, 'replay'], undefined, options)
  }

  /** Sends again all that failed since a time. */
  async replayFailedDeliveries(
    endpoint: string,
    replay: { since: string },
    options?: ActionOptions,
  ): Promise<Result<{ replayed: number }>> {
    return this.post(['endpoints', endpoint, 'replay'], replay, options)
  }

  // --- Recordings and transcripts

  async listRecordings(options?: RoomPageOptions): Promise<Page<'recordings', StoredRecording>> {
    return this.get(['recordings'], options)
  }

  async getRecording(recording: string, options?: CallOptions): Promise<Result<StoredRecording>> {
    return this.get(['recordings', recording], options)
  }

  async deleteRecording(recording: string, options?: CallOptions): Promise<Result> {
    return this.send('DELETE', ['recordings', recording], undefined, options)
  }

  /** A link to a file for people without a token. */
  async createRecordingLink(
    recording: string,
    link: RecordingLinkRequest,
    options?: ActionOptions,
  ): Promise<Result<RecordingLink>> {
    return this.post(['recordings', recording, 'links'], link, options)
  }

  async revokeRecordingLink(recording: string, link: string, options?: CallOptions): Promise<Result> {
    return this.send('DELETE', ['recordings', recording, 'links', link], undefined, options)
  }

  async listTranscripts(options: TranscriptPageOptions): Promise<Page<'transcripts', StoredTranscript>> {
    return this.get(['transcripts'], options)
  }

  async getTranscript(transcript: string, options?: CallOptions): Promise<Result<WholeTranscript>> {
    return this.get(['transcripts', transcript], options)
  }

  async getTranscriptAsWebVtt(transcript: string, options?: CallOptions): Promise<string> {
    return this.text(['transcripts', transcript, 'vtt'], options)
  }

  async getTranscriptAsText(transcript: string, options?: CallOptions): Promise<string> {
    return this.text(['transcripts', transcript, 'txt'], options)
  }

  /** The usage of a month such as `2030-09`. */
  async getUsage(month: string, options?: CallOptions): Promise<Result<Usage>> {
    return this.get(['usage'], Object.assign({ month }, options))
  }
}
