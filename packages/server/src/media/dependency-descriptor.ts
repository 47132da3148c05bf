import { getSupportedRtpCapabilities } from 'mediasoup'
import type { RtpParameters } from 'mediasoup/types'

/** Describes on which other frames an AV1 frame depends. */
const URI = 'https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension'
const supported = getSupportedRtpCapabilities().headerExtensions?.find(({ uri }) => uri === URI)

const isAv1 = ({ codecs }: RtpParameters) => codecs.some(({ mimeType }) => /^video\/av1$/i.test(mimeType))

/**
 * Adds the dependency descriptor to the parameters of an AV1 consumer. mediasoup forwards the extension without listing
 * it; a browser that does not read it finds no key frame among AV1's spatial layers and renders nothing.
 */
export function withDependencyDescriptor(parameters: RtpParameters): RtpParameters {
  if (!supported || !isAv1(parameters)) return parameters
  const { headerExtensions = [] } = parameters
  return { ...parameters, headerExtensions: [...headerExtensions, { uri: URI, id: supported.preferredId }] }
}
