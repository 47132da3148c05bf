/** Chapters and attendance of a recording. */
export const lesson = {
  chapters: 'Bölümler',
  chapter: {
    speaker: '{{name}}',
    screen: '{{name}} ekranını paylaşıyor',
    page: 'Tahtanın {{name}}. sayfası',
  },
  attendance: 'Katılım',
  columns: {
    name: 'Ad',
    joined: 'Giriş',
    left: 'Çıkış',
    present: 'Katılım süresi',
    talk: 'Konuşma süresi',
    hand: 'El kaldırma',
  },
  joins: '(giriş sayısı: {{number}})',
  untilEnd: 'sonuna kadar',
  saveTable: 'Tablo olarak kaydet (CSV)',
}
