/** Texts of landing, help, privacy and terms, and of what stands around them. */
export const pageTexts = {
  footer: {
    label: 'About Keyturn',
    help: 'Help',
    privacy: 'Privacy Policy',
    tos: 'Terms of Service',
    contact: 'Contact',
    rights: 'Keyturn facilitates private sales. It is not a party to them.',
  },
  landing: {
    logIn: 'Log In',
    getStarted: 'Get Started',
    downloadApp: 'Download App',
    createAccount: 'Create Free Account',
    signIn: 'Sign In',
    title: 'Sell your car to someone you trust',
    description:
      'Share a link with your buyer, agree on the price, and sign one agreement. Sellers pay no fees and keep 100% of the proceeds.',
    switcher: 'I am here to',
    selling: 'Sell a car',
    buying: 'Buy a car',
    picture: {
      label: 'A signed agreement: one car, one price, two signatures',
      lines: [
        { term: 'Vehicle', value: '2003 Honda Accord EX' },
        { term: 'Mileage', value: '98,400' },
        { term: 'Agreed price', value: '$9,500' },
      ],
      seller: 'Seller',
      buyer: 'Buyer',
    },
    sides: {
      selling: {
        headline: 'Sell your car to someone you trust.',
        lead: 'List it by its VIN, share a link or QR code with your buyer, and go together through a guided sale to an agreement that both of you sign.',
        claims: [
          { title: 'You keep 100% of the proceeds', text: 'Sellers pay no fees.' },
          { title: '8 to 15% higher prices', text: 'What private sellers get for their cars.' },
          {
            title: 'Held for 72 hours',
            text: 'One buyer, one price, one agreement. Nobody gets in between.',
          },
        ],
        stepsTitle: 'How selling works',
        steps: [
          { title: 'List the car by its VIN', text: 'Make, model, year and trim fill themselves in.' },
          { title: 'Share the link or the QR code', text: 'With the one person you mean to sell to.' },
          { title: 'Confirm your buyer and the price', text: 'You see every request before you decide.' },
          { title: 'Sign, and the deal is passed on', text: 'A dealer group partner takes it from there.' },
        ],
      },
      buying: {
        headline: 'Buy from a person you know.',
        lead: 'Open the link your seller shared, bring your trade-in and your financing request, and go step by step to an agreement that both of you sign.',
        claims: [
          { title: 'No platform fees', text: 'You pay the price you agreed on with your seller.' },
          { title: 'Tax credits in 46 states*', text: 'Hand in a trade and pay less sales tax.' },
          {
            title: 'A figure within 3 hours',
            text: 'Wholesalers make an offer for your trade, tax credit included.',
          },
        ],
        stepsTitle: 'How buying works',
        steps: [
          { title: 'Open your seller’s link', text: 'See the car and who sells it before you sign up.' },
          { title: 'Say what you bring', text: 'A trade-in, a financing request, or neither.' },
          { title: 'Send your price', text: 'The seller confirms it, or you agree on another one.' },
          { title: 'Sign, and the deal is passed on', text: 'With 300 dealer locations to complete it.' },
        ],
      },
    },
    signedIn: { dashboard: 'Go to your dashboard', toCar: 'Continue to the car' },
    moreAnswers: 'More answers',
    checksTitle: 'What you can count on',
    badges: [
      { title: 'Both sign the same sheet', text: 'One price, one text, two signatures.', proof: 'sheet' },
      {
        title: '72-hour hold',
        text: 'Once the seller has signed, nobody else can buy the car for 72 hours.',
        proof: 'questions',
      },
      { title: '$0 fees', text: 'Nothing for sellers, no platform fees for buyers.', proof: 'questions' },
    ],
    verified: {
      title: 'Identity, ownership and title verified',
      text: 'By our dealer partner, which buys the car and resells it: it checks who sells, who owns the car and whether the title is clear.',
    },
    statesNote: 'Tax credits vary by state, and what you see is an estimate.',
    testimonials: {
      title: 'What people say',
      sample: 'Sample',
      sampleHint: 'These are samples. Nobody has said this yet.',
      stars: (stars: number) => `${stars} of 5 stars`,
    },
    faqTitle: 'Questions people ask first',
    faqs: [
      {
        question: 'What does Keyturn cost?',
        answer: 'Nothing for sellers, who keep 100% of the proceeds, and no platform fees for buyers.',
      },
      {
        question: 'Who signs with whom?',
        answer:
          'Seller and buyer sign with each other. A national dealer group partner then buys the car from the seller and resells it to the buyer. Keyturn only facilitates.',
      },
      {
        question: 'Can I hand in my old car?',
        answer:
          'Yes. Tell us about it, and wholesalers make an offer, usually within 3 hours. You accept it, reject it or name your own figure.',
      },
      {
        question: 'What are the 72 hours?',
        answer:
          'Once the seller has signed, the car is not sold to anybody else for 72 hours while the buyer completes the purchase.',
      },
    ],
    app: {
      title: 'Keep Keyturn at hand',
      text: 'There is nothing to get from a store. Your browser puts Keyturn on your home screen, where it opens like any other app.',
      iphone: {
        title: 'On an iPhone or iPad',
        entry: 'Add to Home Screen',
        steps: ['Open this page in Safari.', 'Tap Share.', 'Choose Add to Home Screen.'],
      },
      others: {
        title: 'On Android or a computer',
        entry: 'Install app',
        steps: [
          'Open this page in Chrome or Edge.',
          'Open the menu at the top.',
          'Choose Install app or Add to Home screen.',
        ],
      },
    },
    closing: { title: 'Ready when you are', text: 'An account takes two minutes.' },
    contact: {
      title: 'Contact',
      text: 'Do you have a question about a sale, or has someone listed your car without asking you? Write to us.',
      email: 'hello@keyturn.example',
    },
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
          'You know whom you buy from. You may bring a trade-in, for which wholesalers make offers, and a financing request. Once the seller has signed, the car is held for you for 72 hours.',
      },
    ],
    moreTitle: 'Title, loan, money and safety',
    more: [
      {
        question: 'Who takes care of the title?',
        answer:
          'The dealer group partner does. It buys the car from the seller and resells it to the buyer, so the title passes through its hands. Keyturn never holds a title. If you sell, have yours at hand, or the account number of the loan if your lender holds it. The dealer tells you what else your state asks for.',
      },
      {
        question: 'Can I sell a car that I still owe money on?',
        answer:
          'Yes. Say so when you list the car. The loan has to be paid off before the title can pass to the buyer; the dealer asks your lender for the amount and tells you how it is done.',
      },
      {
        question: 'Who pays whom, and when?',
        answer:
          'Keyturn takes no money and holds none. The buyer pays the dealer, and the dealer pays the seller; when and how is for the dealer to say. The agreement you sign here names the price and moves no money by itself.',
      },
      {
        question: 'How do I stay safe?',
        answer:
          'Compare the VIN on the car with the one in the listing and on the title. Meet by daylight in a public place. Pay nobody because of a message that says it comes from us: we never ask for money, your password, a code or your Social Security number.',
      },
      {
        question: 'How do I reach a person?',
        answer:
          'Write to hello@keyturn.example. If it is about a sale, name the VIN. The seller’s and the buyer’s own phone and email stand on the pages of their deal.',
      },
    ],
  },
  privacy: {
    title: 'Privacy Policy',
    back: 'Back',
    placeholder: 'Placeholder text. Whoever runs this Keyturn puts their own policy here.',
    sections: [
      {
        title: 'What we keep',
        text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. Integer posuere erat a ante venenatis, nec dapibus posuere velit aliquet. Cras mattis consectetur purus sit amet fermentum.',
      },
      {
        title: 'What we share',
        text: 'Donec ullamcorper nulla non metus auctor fringilla. Vestibulum id ligula porta felis euismod semper. Aenean lacinia bibendum nulla sed consectetur.',
      },
      {
        title: 'Your choices',
        text: 'Maecenas sed diam eget risus varius blandit sit amet non magna. Nullam quis risus eget urna mollis ornare vel eu leo. Etiam porta sem malesuada magna mollis euismod.',
      },
    ],
  },
  terms: {
    title: 'Terms of Service',
    back: 'Back',
    placeholder: 'Placeholder text. Whoever runs this Keyturn puts their own terms here.',
    sections: [
      {
        title: 'The service',
        text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. Morbi leo risus, porta ac consectetur ac, vestibulum at eros. Praesent commodo cursus magna, vel scelerisque nisl consectetur et.',
      },
      {
        title: 'Your account',
        text: 'Fusce dapibus, tellus ac cursus commodo, tortor mauris condimentum nibh, ut fermentum massa justo sit amet risus. Aenean eu leo quam pellentesque ornare sem lacinia quam venenatis.',
      },
      {
        title: 'Sales between people',
        text: 'Cum sociis natoque penatibus et magnis dis parturient montes, nascetur ridiculus mus. Sed posuere consectetur est at lobortis. Duis mollis, est non commodo luctus, nisi erat porttitor ligula.',
      },
    ],
  },
} as const
