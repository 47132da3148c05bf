/**
 * Whether If-Match (compared strongly) or If-None-Match (compared weakly) names this entity tag, which is strong itself
 * (RFC 9110, sections 8.8.3.2, 13.1.1 and 13.1.2).
 */
export const namesEntityTag = (header: string, etag: string, comparison: 'strong' | 'weak'): boolean =>
  header.split(',').some(each => {
    const named = comparison === 'weak' ? each.trim().replace(/^W\//, '') : each.trim()
    return named === '*' || named === etag
  })
