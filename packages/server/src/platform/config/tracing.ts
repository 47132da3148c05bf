import { httpAddress, type Key, number } from './values.ts'

/** Headers of requests, which may hold an access key; error messages never contain the value. */
const headers = (description: string): Key<[name: string, value: string][]> => {
  const form = 'pairs such as authorization=Bearer…, separated by commas'
  const pair = /^\s*([\w-]+)=([\x20-\x7e]*?)\s*$/
  return {
    description,
    form,
    fallback: [],
    isSecret: true,
    parse: value => {
      const pairs = value.split(',').map(each => pair.exec(each))
      if (!pairs.every(each => each !== null)) throw new Error(form)
      return pairs.map(([, name = '', content = '']) => [name, content])
    },
  }
}

/** Keys of [Tracing] (docs/observability.md). */
export const tracingKeys = {
  Endpoint: httpAddress(
    'Where traces are sent: the whole address of an OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318/v1/traces; empty turns traces off.',
  ),
  Headers: headers('Headers of these requests, such as the access key of a hosted collector.'),
  SampleRatio: number(
    'Share of traces that is recorded; all servers of a cluster decide the same about a trace.',
    1,
    0,
    1,
  ),
}
