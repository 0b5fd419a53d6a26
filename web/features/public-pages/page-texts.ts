/** Texts of the help, privacy and terms pages, and of their frame. */
export const pageTexts = {
  needsScripts: 'This form needs JavaScript. Please turn it on in your browser and reload this page.',
  back: 'Back',
  footer: {
    label: 'About Keyturn',
    help: 'Help',
    privacy: 'Privacy Policy',
    tos: 'Terms of Service',
    developers: 'For Developers',
    contact: 'Contact',
    rights: 'Keyturn facilitates private sales. It is not a party to them.',
  },
  help: {
    title: 'Help',
    faqs: 'FAQs',
    items: [
      {
        question: 'What is Keyturn?',
        answer:
          'Keyturn takes the private sale of a used car from a shared link to an agreement that both sides sign. The seller lists the car by its VIN and shares a link or QR code; the buyer opens it and is guided through trade-in, financing, price and signature. Keyturn facilitates the sale and is not a party to it.',
      },
      {
        question: 'Why sell with Keyturn?',
        answer:
          'You choose your buyer and your price, pay no fees and keep 100% of the proceeds. Every request is in one place, and once you have confirmed a buyer both of you sign the same terms.',
      },
      {
        question: 'Why buy with Keyturn?',
        answer:
          'You know who you are buying from. You can bring a trade-in, which wholesalers make offers on, and a financing request. Once the seller has signed, the car is held for you for 72 hours.',
      },
    ],
    moreTitle: 'Title, loan, money and safety',
    more: [
      {
        question: 'Who takes care of the title?',
        answer:
          'The dealer group partner does. It buys the car from the seller and resells it to the buyer, so the title passes through its hands. Keyturn never holds a title. If you are selling, have yours ready, or the loan account number if your lender holds it. The dealer will tell you what else your state requires.',
      },
      {
        question: 'Can I sell a car that I still owe money on?',
        answer:
          'Yes. Say so when you list the car. The loan has to be paid off before the title can pass to the buyer; the dealer gets the payoff amount from your lender and tells you how it works.',
      },
      {
        question: 'Who pays whom, and when?',
        answer:
          'Keyturn takes no money and holds none. The buyer pays the dealer, and the dealer pays the seller; the dealer decides when and how. The agreement you sign here states the price. It does not move any money by itself.',
      },
      {
        question: 'How do I stay safe?',
        answer:
          'Compare the VIN on the car with the one in the listing and on the title. Meet in daylight in a public place. Never pay anyone because of a message that claims to come from us: we never send messages that ask for money, your password, a code or your Social Security number.',
      },
      {
        question: 'How do I reach a person?',
        answer:
          'Write to hello@keyturn.example. If it is about a sale, include the VIN. The seller’s and the buyer’s phone numbers and email addresses are on the pages of their deal. Our postal address, for paper copies of what you signed, is under Contact on the home page.',
      },
    ],
  },
  privacy: {
    title: 'Privacy Policy',
    placeholder: 'Placeholder text. The operator of this site puts its own policy here.',
    opening: [],
    sections: [
      {
        title: 'What we keep',
        paragraphs: [
          'Lorem ipsum dolor sit amet, consectetur adipiscing elit. Integer posuere erat a ante venenatis, nec dapibus posuere velit aliquet. Cras mattis consectetur purus sit amet fermentum.',
        ],
      },
      {
        title: 'What we share',
        paragraphs: [
          'Donec ullamcorper nulla non metus auctor fringilla. Vestibulum id ligula porta felis euismod semper. Aenean lacinia bibendum nulla sed consectetur.',
        ],
      },
      {
        title: 'Your choices',
        paragraphs: [
          'Maecenas sed diam eget risus varius blandit sit amet non magna. Nullam quis risus eget urna mollis ornare vel eu leo. Etiam porta sem malesuada magna mollis euismod.',
        ],
      },
    ],
  },
  terms: {
    title: 'Terms of Service',
    placeholder: 'Placeholder text. The operator of this site puts its own terms here.',
    opening: [],
    sections: [
      {
        title: 'The service',
        paragraphs: [
          'Lorem ipsum dolor sit amet, consectetur adipiscing elit. Morbi leo risus, porta ac consectetur ac, vestibulum at eros. Praesent commodo cursus magna, vel scelerisque nisl consectetur et.',
        ],
      },
      {
        title: 'Your account',
        paragraphs: [
          'Fusce dapibus, tellus ac cursus commodo, tortor mauris condimentum nibh, ut fermentum massa justo sit amet risus. Aenean eu leo quam pellentesque ornare sem lacinia quam venenatis.',
        ],
      },
      {
        title: 'Sales between people',
        paragraphs: [
          'Cum sociis natoque penatibus et magnis dis parturient montes, nascetur ridiculus mus. Sed posuere consectetur est at lobortis. Duis mollis, est non commodo luctus, nisi erat porttitor ligula.',
        ],
      },
    ],
  },
} as const
