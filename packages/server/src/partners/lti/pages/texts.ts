import { LANGUAGES, type Language } from '@lectern/protocol'

interface Texts {
  opening: string
  blocked: string
  newWindow: string
  failed: string
  lessonTitle: string
  addLesson: string
  registered: string
}

const texts: Record<Language, Texts> = {
  ar: {
    opening: 'جارٍ فتح الدرس…',
    blocked: 'لا يسمح متصفحك بفتح الدرس داخل هذه الصفحة.',
    newWindow: 'فتح في نافذة جديدة',
    failed: 'تعذّر فتح الدرس. افتحه مرة أخرى من مقررك الدراسي.',
    lessonTitle: 'عنوان الدرس',
    addLesson: 'إضافة الدرس',
    registered: 'تم التسجيل. يمكنك إغلاق هذه النافذة.',
  },
  de: {
    opening: 'Der Unterricht wird geöffnet …',
    blocked: 'Ihr Browser erlaubt nicht, den Unterricht in dieser Seite zu öffnen.',
    newWindow: 'In einem neuen Fenster öffnen',
    failed: 'Der Unterricht konnte nicht geöffnet werden. Öffnen Sie ihn noch einmal aus Ihrem Kurs.',
    lessonTitle: 'Titel der Unterrichtsstunde',
    addLesson: 'Unterrichtsstunde hinzufügen',
    registered: 'Registriert. Sie können dieses Fenster schließen.',
  },
  en: {
    opening: 'Opening the lesson…',
    blocked: 'Your browser does not allow opening the lesson inside this page.',
    newWindow: 'Open in a new window',
    failed: 'The lesson could not be opened. Open it again from your course.',
    lessonTitle: 'Title of the lesson',
    addLesson: 'Add the lesson',
    registered: 'Registered. You can close this window.',
  },
  es: {
    opening: 'Abriendo la clase…',
    blocked: 'Su navegador no permite abrir la clase dentro de esta página.',
    newWindow: 'Abrir en una ventana nueva',
    failed: 'No se pudo abrir la clase. Ábrala de nuevo desde su curso.',
    lessonTitle: 'Título de la clase',
    addLesson: 'Añadir la clase',
    registered: 'Registro completado. Puede cerrar esta ventana.',
  },
  fr: {
    opening: 'Ouverture du cours…',
    blocked: 'Votre navigateur ne permet pas d’ouvrir le cours dans cette page.',
    newWindow: 'Ouvrir dans une nouvelle fenêtre',
    failed: 'Le cours n’a pas pu être ouvert. Ouvrez-le à nouveau depuis votre espace de cours.',
    lessonTitle: 'Titre du cours',
    addLesson: 'Ajouter le cours',
    registered: 'Inscription terminée. Vous pouvez fermer cette fenêtre.',
  },
  pt: {
    opening: 'A abrir a aula…',
    blocked: 'O seu navegador não permite abrir a aula dentro desta página.',
    newWindow: 'Abrir numa nova janela',
    failed: 'Não foi possível abrir a aula. Abra-a novamente a partir da sua disciplina.',
    lessonTitle: 'Título da aula',
    addLesson: 'Adicionar a aula',
    registered: 'Registo concluído. Pode fechar esta janela.',
  },
  ru: {
    opening: 'Урок открывается…',
    blocked: 'Ваш браузер не позволяет открыть урок внутри этой страницы.',
    newWindow: 'Открыть в новом окне',
    failed: 'Не удалось открыть урок. Откройте его ещё раз из вашего курса.',
    lessonTitle: 'Название урока',
    addLesson: 'Добавить урок',
    registered: 'Регистрация завершена. Это окно можно закрыть.',
  },
  tr: {
    opening: 'Ders açılıyor…',
    blocked: 'Tarayıcınız dersin bu sayfanın içinde açılmasına izin vermiyor.',
    newWindow: 'Yeni pencerede aç',
    failed: 'Ders açılamadı. Kursunuzdan yeniden açın.',
    lessonTitle: 'Dersin başlığı',
    addLesson: 'Dersi ekle',
    registered: 'Kayıt tamamlandı. Bu pencereyi kapatabilirsiniz.',
  },
}

/** The texts in the first language of `Accept-Language` in which there are any; else in English. */
export function textsFor(accepted: string | undefined): { language: Language; texts: Texts } {
  const wanted = (accepted ?? '').split(',').map(each => each.trim().slice(0, 2).toLowerCase())
  const language =
    wanted.find((each): each is Language => (LANGUAGES as readonly string[]).includes(each)) ?? 'en'
  return { language, texts: texts[language] }
}
