/**
 * Weights of `wornFeatures` in the log-odds of glasses, in steps: base64 of 16-bit numbers.
 *
 * Written by `npm run bench:glasses -- train` (see bench/glasses/README.md); do not edit.
 * Seed 1, 8232 faces of 126 persons.
 */
export const WORN_WEIGHTS =
  'ttvns1D43wBP1xLmLsFJ9nvhs9hHqboBrRvt+A74F/FpD1MW0ANDCAY5Uu7xNSbzXPxKAFLT9u9d+aQsud4S+2kL' +
  'kvWVAzfNJAoh/zfvigfUEvIZCuNNLBoSnvJI9qL4iBFf+aLhQPQiIT0GU9rTF7AGYAOh0JImdN+dCUrbkwXfzHs4' +
  'UfxE4Ar/UUHODBAty6Y86bjffgjaxA359gY36LDbl/mz7QoMh/8MG/b2n9IH/0kV/9/n2FHXkD0tHsjuPv393DXt' +
  'w+lgBegtkR871mn9quqFH7BMbAWPJ3vCC/WDDfUOmgh+HyMFIhCwGaoo6QJLNrLcQuKLB7QJpQ8vFe3zRTDEGasS' +
  'WBF87NPzNilzGX8EvQzM7Q8YrA2X7YkcVvQ99ATh++Tz8Sn+6vWBEe8cMkvPBqj7vugWzxDsLQ6RED8Gr+3+DLEl' +
  'Xfw7ENoDmEe2OgzqGBo4N2zadhKM+PoVgkeHIZscgQFTCk7fyu2m5GAF1jkZIgP2jvC3+oBlEgQ1Gbv9F/oQ/cH9' +
  'yPykFd7djAbTEaIhAfn7/Avt6cBK7p3W9CizEdjnEvb2A1zNohSv6gXsf/qNHFEBswojBuQO2gby9dP6QxRbC5fu' +
  'YACNQ+MTedyL75I0S0/BzzniJOgP5C30gSBvFtBBoSDQ2vBLphEzBQkEfkCqW7sgODaIAxEPdU5A6VYkz2aLDej4' +
  'bhjM4VwIhAFHAfgA4xNFEo8CkwD37xRTpBS4+TPvmxB2C4L5Y/WtCwDhS/6WEBoH4wc+5xAnZ95n2zMFTB0fv0vS' +
  'geMaQbMI4hbA9vgEH/9iBcXeiPI6Gdjwv9y3/0DSXT+cH70E1iMGGX8yiiBZvA1XWkRx4avgLQLdEacTSvMFFjMY' +
  'a/SGz5VA7CTECBTtN0WFX3AWpBFgLvWntg5CNhNF2Tvj3pO4R/WPpJ0h7heSDSfPMSmI6XDqw/Fa+QwxZuhh+YPv' +
  'kfyiALn7rv6xA2739DKN+GrwBhugFNI+QiVcLeIFQTcmJMsKsQETPQ0ZICNEFCEfehonPFbtwidyGywWieMzOM7h' +
  'nzC/OhHsHu3qSvcJjQnp6wNQgURT+lnyLl6nM3fRqLWsYiUk7RcK2w9rXHvbzRrAaWm3KKNJsyqDYZa2LzioWv9/' +
  '0yQW+CAVuNjUxRUvCxpG68TLJT9nW9UWs844MIJYWfmj3Qrnn/129jAFWR/o74Qlx/XH/jb0stea/kz7QOmWMVTd' +
  'lONq/HEfavI2QMrgEQL0CtogSBRw+o3olBQ31LYHH+0URfQbzVr8AwUDNQsWP3bs6yuu+ftdk+CUEX7HT1FIG/Tv' +
  'f86rROjZ/fK6HCBd2jCg2kjhpBp0J6A36AWPD8vUOx+hPgtyNh3ZL1cGoBlAuZMSqxRRJivaaQx7UiBhqKoyKu4Z' +
  'Dv/o/2kXb+2CDUMduisAzYA1fh0FMwFX6Nyw/eUcUAVrLRcBS+yL280PXPDjUmMD1f4s6bwYY/4S3vPdjD5N0BFR' +
  'TtF2Qo/q9iejEBgqzwxNJ0v0L0BFEwArIQZn//Dh4CCi5x33khlNJbz/IkFo6kNkVgf09c0Krg7RsaBCbQolJEbr' +
  'lN43J+YJnexoH4DzcwHFuHjSFQOPBWrYV8o7BHgS2bT/BaQmuxoU63je7OYMA87wAu+NDL5CE80x1/DP4gwn+j8a' +
  '9OfXCRA25wLfz8c4qNLSUNXCu9Hw1iYBLQ7LwwfdIyOB+CYmHN9oHAXwahnmwR/8aRCPF5Wohwe8E2kgavbW2tsE' +
  'QuVLws7zuwxZ7lbsUBP26iQFOQ0hFPQTXox59x3y0ibrsdIDzdUp91PMrQWP1hQYZPt43W8eNO8yCOTM2ORt0d78' +
  'Zg8MGz4XCSQ7BCvpWRK+DcUOy/f051pIOMYrDS7gNh8D5TLhGbaoABMipx/UzDZVddGWFlyrxPs22qD3aAvt43uu' +
  'vf+AN84dGPSWEJ8fHwhv11ABNTWX1ZAPEgvG+8UHlAg28nMuWfYc1kv8bfqN/qfkse3j+J79PfntHw0SxwR57Lrx' +
  'RuTHy3EL9wZf838wWv/IEdYazB3M7SEiNhPx5kDjqQ9WHeAjw+dKNy/7/FNw/qILRdsnNHzdvibXp6VsGfqDK/UG' +
  '8k9uN7PKMRaJ+N0xdDv9MUxkNDDYjh38fAFr9HnuzwaPxAL4CinVEmcQ3u68+7MJZdQs4ZoUOS1w/NDtktxxJFHg' +
  'p8NM9zECl9jS5a4Fovzx+yHwtf9BAurtwen/KcwRsOizDCAEUPYz7MP8mh4d1ewHohLMVND6aPw6uMXeAe3KDlYI' +
  'iOkAt2/+y5OTD+PuEe2280zyigA2+dsDtvVy7QDBqQmL9pwcN+uP5qPnyC20zv3ncuyOHX7gkO0DkAILFe89rP3S' +
  'oAR37abR1eTEwjQG7cO/6Sn1Ks3g1PjodQdJ6/vgVb3mD7bCIp0l6JH9h/m97Wjoeey/BhP3NACC+qzeKMDJ9czn';
/** Step of the weights. */
export const WORN_WEIGHT_STEP = 0.0001393197569188835;
/** Log-odds of glasses where no line is seen. */
export const WORN_BIAS = -10.939001631062634;
