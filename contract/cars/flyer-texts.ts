/** Texts on the flyer and in the dialog that creates it. */
export const flyerTexts = {
  sheet: {
    title: 'For Sale',
    color: 'Color',
    mileage: 'Mileage',
    where: 'Where',
    seller: 'Seller',
    scan: 'Scan to see the car and make an offer.',
    photo: (car: string) => `Photo: ${car}`,
    drawing: (car: string) => `A drawing in place of a photo: ${car}`,
    code: 'QR code of the link to this car',
  },
  dialog: {
    title: 'Print a flyer',
    lead: 'One page with your car and the QR code, to hang up or put in the window.',
    paper: 'Paper',
    papers: { letter: 'Letter', a4: 'A4' },
    contact: 'Print my name, phone and email on it',
    contactHint: 'Anybody who walks by can read them.',
    cancel: 'Cancel',
    download: 'Download PDF',
    downloading: 'Drawing…',
    failed: 'The flyer could not be downloaded. Please try again.',
  },
} as const
