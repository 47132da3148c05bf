import { getSupportedRtpCapabilities } from 'mediasoup'
import type { RtpParameters } from 'mediasoup/types'

/** Says of each AV1 frame which others it needs. */
const URI = 'https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension'
const known = getSupportedRtpCapabilities().headerExtensions?.find(({ uri }) => uri === URI)

const isAv1 = ({ codecs }: RtpParameters) => codecs.some(({ mimeType }) => /^video\/av1$/i.test(mimeType))

/**
 * What a viewer is told of a consumer. mediasoup passes the dependency descriptor on without telling of it; but a
 * browser that does not read it finds no key frame among the spatial layers of AV1, and shows nothing.
 */
export function withDependencies(parameters: RtpParameters): RtpParameters {
  if (!known || !isAv1(parameters)) return parameters
  const { headerExtensions = [] } = parameters
  return { ...parameters, headerExtensions: [...headerExtensions, { uri: URI, id: known.preferredId }] }
}
