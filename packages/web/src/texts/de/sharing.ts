export const sharing = {
  on: 'Sie teilen Ihren Bildschirm',
  onWithSound: 'Sie teilen Ihren Bildschirm mit Ton',
  soundOff: 'Ton des Bildschirms ausschalten',
  soundOn: 'Ton des Bildschirms einschalten',
  preview: 'Vorschau des geteilten Inhalts',
  stop: 'Beenden',
  forVideo: 'Für Video optimieren',
  problem: {
    unsupported: {
      title: 'Dieser Browser kann keinen Bildschirm teilen',
      text: 'Browser auf Smartphones und Tablets können das nicht. Treten Sie an einem Computer bei, um Ihren Bildschirm zu teilen.',
    },
    insecure: {
      title: 'Eine sichere Verbindung ist erforderlich',
      text: 'Die Adresse muss mit https beginnen. Informieren Sie die Person, die Sie eingeladen hat.',
    },
    refused_by_frame: {
      title: 'Die umgebende Seite erlaubt das Teilen nicht',
      text: 'Öffnen Sie das Meeting in einem eigenen Tab. Der Betreiber der umgebenden Seite kann das Teilen erlauben.',
    },
    refused_by_system: {
      title: 'Ihr System erlaubt das Teilen nicht',
      text: 'Öffnen Sie die Datenschutzeinstellungen Ihres Systems, erlauben Sie diesem Browser die Bildschirmaufnahme und starten Sie ihn neu.',
    },
    blocked: {
      title: 'Ihr Browser erlaubt das Teilen nicht',
      text: 'Klicken Sie auf das Symbol links neben der Adresse und erlauben Sie das Teilen. Fragen Sie bei einem verwalteten Computer den Administrator.',
    },
    failed: {
      title: 'Ihr Bildschirm wurde nicht geteilt',
      text: 'Versuchen Sie es erneut und wählen Sie einen anderen Bildschirm, ein anderes Fenster oder einen anderen Tab.',
    },
  },
}
