"""Names that tell by themselves what they are: makers and models, places, technology.

What is written in lower case is recognised in any case; what is written with a capital is also an English word, and
only counts when it is written so. A name that is followed by a version or an edition is still that name.
"""

from __future__ import annotations

# A name beginning with one of these, with more after it or alone, is of that kind.
FIRST_WORDS = {
    "vehicle": (
        "toyota, volkswagen, vw, renault, peugeot, citroën, citroen, fiat, skoda, škoda, seat leon, seat ibiza, "
        "ford, opel, vauxhall, volvo, kia, hyundai, honda, nissan, mazda, subaru, suzuki swift, mitsubishi, bmw, "
        "audi, mercedes, mercedes-benz, porsche, tesla, polestar, dacia, mini cooper, jaguar, land rover, range "
        "rover, lexus, chevrolet, chevy, dodge, jeep, chrysler, cadillac, buick, gmc, lincoln navigator, alfa "
        "romeo, lancia, maserati, ferrari, saab, byd, nio, cupra, smart fortwo, rivian, lucid air, ducati, yamaha "
        "mt, kawasaki, harley-davidson, harley, triumph bonneville, vespa, golf gti, model 3, model y, model s, "
        "model x, prius, corolla, yaris, civic, fiesta, passat, golf, polo, corsa, astra, clio, zoe, twingo, "
        "octavia, fabia, superb, panda, punto, picanto, leaf, qashqai, micra, ioniq, kona, i10, i20, i30, jimny, "
        "berlingo, kangoo, duster, sandero, sprinter, transit, f-150, silverado, wrangler, outback, forester, "
        "impreza, cx-5, cx-30, mx-5, miata, rav4, camry, hilux, land cruiser, tiguan, touran, caddy, transporter, "
        "id.3, id.4, id.7, e-golf, aygo, auris, niro, rio, ceed, sportage, sorento, ev6, cybertruck, fiat 500, "
        "mg4, mg zs, cayenne, jetta, beetle, accord, cr-v"
    ),
    "phone": (
        "iphone, pixel, galaxy s, galaxy a, galaxy z, galaxy note, samsung galaxy, fairphone, xperia, nothing "
        "phone, oneplus, huawei p, huawei mate, motorola, moto g, moto e, nokia 3310, redmi, xiaomi, poco, realme, "
        "oppo, vivo x, honor magic, honor 90, zenfone, rog phone, lg g, blackberry, light phone, punkt, murena, "
        "cmf phone, asus zenfone, sony xperia, google pixel, htc, galaxy s2, galaxy"
    ),
    "laptop": (
        "macbook, thinkpad, dell xps, xps 13, xps 15, framework laptop, framework 13, framework 16, surface "
        "laptop, surface pro, zenbook, vivobook, ideapad, yoga slim, hp spectre, hp envy, elitebook, latitude, "
        "precision 5, inspiron, chromebook, mac mini, mac studio, imac, mac pro, legion, rog zephyrus, razer "
        "blade, lg gram, swift 3, aspire, tuxedo, system76, matebook, steam deck dock, alienware, lemur pro, "
        "galaxy book, pinebook, yoga 7"
    ),
    "tablet": (
        "ipad, galaxy tab, kindle, kobo, remarkable, boox, surface go, fire hd, tolino, pocketbook era, supernote, "
        "lenovo tab"
    ),
    "watch": (
        "apple watch, garmin, fitbit, pixel watch, galaxy watch, withings, amazfit, suunto, coros, oura, whoop, "
        "casio, seiko, pebble, forerunner, fenix, polar vantage, huawei watch, mi band, omega seamaster, rolex"
    ),
    "camera": (
        "fujifilm, canon eos, nikon, sony a7, sony a6, leica, olympus om, lumix, pentax, hasselblad, gopro, ricoh "
        "gr, sony alpha, rx100, polaroid, instax"
    ),
    "headphones": (
        "airpods, sony wh, wh-1000xm, bose quietcomfort, bose qc, sennheiser, jabra, galaxy buds, pixel buds, "
        "beyerdynamic, audio-technica, airpods pro, nothing ear, soundcore, beats studio, shure se, marshall "
        "major, hd 600, momentum 4"
    ),
    "keyboard": (
        "keychron, hhkb, kinesis, ergodox, moonlander, nuphy, das keyboard, ducky, varmilo, leopold, mx keys, "
        "magic keyboard, zsa, corne, filco, logitech mx, glove80, anne pro, gmmk"
    ),
    "console": (
        "playstation, ps4, ps5, xbox, nintendo, switch oled, switch 2, steam deck, wii, gamecube, game boy, sega, "
        "rog ally"
    ),
    "bicycle": (
        "brompton, canyon, cannondale, specialized, trek fx, trek domane, bianchi, cube, vanmoof, gazelle, cowboy "
        "4, surly, giant defy, scott addict, pinarello, rose backroad, riese & müller, orbea, ribble, cervélo, "
        "cervelo, kona sutra, batavus, swapfiets, tern, stromer, decathlon bike, urban arrow"
    ),
    "coffee_machine": (
        "gaggia, la marzocco, rancilio, breville, de'longhi, delonghi, jura, nespresso, moccamaster, sage barista, "
        "lelit, profitec, rocket appartamento, aeropress, chemex, bialetti, philips 3200, philips lattego, dolce "
        "gusto, la pavoni, hario v60, flair espresso, saeco"
    ),
    "bank": (
        "monzo, revolut, n26, starling, ing, ing-diba, deutsche bank, commerzbank, sparkasse, hsbc, barclays, "
        "lloyds, natwest, santander, bbva, bnp paribas, société générale, crédit agricole, unicredit, intesa "
        "sanpaolo, ubs, credit suisse, raiffeisen, wells fargo, chase, bank of america, citibank, capital one, td "
        "bank, rbc, scotiabank, nordea, danske bank, seb, swedbank, handelsbanken, abn amro, rabobank, bunq, wise, "
        "dkb, comdirect, c24, tomorrow bank, triodos, gls, nationwide, first direct, halifax bank, metro bank, "
        "charles schwab, ally bank, postbank, volksbank, erste bank, boursorama, fortuneo, openbank, mbank, pko, "
        "zkb, neon bank, yuh, klarna bank, sbanken, dnb, op bank, kbc, belfius"
    ),
    "insurance": (
        "allianz, axa, aok, barmer, techniker krankenkasse, dak, huk-coburg, ergo, generali, zurich insurance, "
        "helvetia, css, sanitas, bupa, aviva, admiral, direct line, geico, state farm, progressive insurance, "
        "aetna, cigna, unitedhealthcare, kaiser permanente, blue cross, lemonade, cosmosdirekt, debeka, signal "
        "iduna, mobiliar, swica, assura, vhv, hellosafe"
    ),
    "internet_provider": (
        "telekom, deutsche telekom, vodafone, o2, 1&1, comcast, xfinity, verizon fios, spectrum, cox, bt "
        "broadband, virgin media, sky broadband, talktalk, hyperoptic, telia, bahnhof, orange livebox, free "
        "freebox, sfr, bouygues, ziggo, kpn, proximus, telenet, swisscom, sunrise, salt fiber, movistar, starlink, "
        "init7, m-net, netcologne, plusnet, zen internet, at&t fiber, google fiber, pyur"
    ),
    "mobile_carrier": (
        "t-mobile, ee, giffgaff, three uk, congstar, aldi talk, fonic, winsim, mint mobile, google fi, verizon "
        "wireless, at&t, cricket wireless, lebara, lycamobile, smarty, voxi, tello, us mobile, freenet, blau, "
        "simyo, klarmobil, wingo, yallo, talkmobile"
    ),
    "energy_provider": (
        "octopus energy, british gas, edf, e.on, eon, vattenfall, enbw, lichtblick, naturstrom, tibber, ovo "
        "energy, bulb, scottish power, engie, enel, eneco, pg&e, con edison, fortum, polarstern, ewe, green planet "
        "energy, ostrom, yello, eni plenitude"
    ),
    "subscriptions": (
        "netflix, disney+, disney plus, hulu, hbo max, amazon prime, prime video, paramount+, peacock, "
        "crunchyroll, dazn, sky sports, apple tv+, audible, patreon, the economist, new york times, the new york "
        "times, the guardian weekly, new yorker, the new yorker, xbox game pass, playstation plus, nintendo switch "
        "online, headspace, calm premium, duolingo plus, skillshare, masterclass, hellofresh, blinkist, scribd, "
        "medium membership, washington post, mubi, icloud+, youtube premium, google one, dropbox plus, strava "
        "premium"
    ),
    "gym": (
        "mcfit, fitx, john reed, planet fitness, puregym, virgin active, david lloyd, basic-fit, anytime fitness, "
        "holmes place, gold's gym, 24 hour fitness, equinox, la fitness, fitness first, urban sports club, clever "
        "fit, orangetheory, barry's, f45, crunch fitness, ymca, snap fitness, energie fitness, nuffield health, "
        "third space, crossfit, kieser training, superfit, boulderwelt"
    ),
}

# A name ending in one of these is of that kind.
LAST_WORDS = {
    "gym": (
        "gym, fitness, crossfit, fitness club, athletic club, fitness studio, gyms, boxing club, barbell club, "
        "bouldering hall, climbing hall"
    ),
    "bank": "bank, sparkasse, credit union, savings bank, building society",
    "employer": (
        "inc, ltd, gmbh, corp, corporation, labs, systems, technologies, consulting, industries, solutions, "
        "software, & co, llc, plc, partners, holdings, pharma, ventures, studios, logistics, robotics, analytics, "
        "dynamics, biotech, motors, associates"
    ),
    "education": (
        "university, college, polytechnic, university of applied sciences, business school, law school, medical "
        "school, institute of technology"
    ),
    "insurance": "insurance, krankenkasse, assurance, versicherung",
    "energy_provider": "energy, electricity, power company, stadtwerke",
    "school": (
        "primary, school, primary school, high school, elementary, kindergarten, nursery, academy, gymnasium, "
        "grundschule, preschool, secondary"
    ),
    "internet_provider": "broadband, telecom, fiber, fibre",
}


PLACES = (
    "argentina, australia, austria, bangladesh, belgium, bolivia, brazil, bulgaria, cambodia, canada, chile, "
    "china, colombia, costa rica, croatia, cuba, cyprus, czechia, czech republic, denmark, ecuador, egypt, "
    "england, estonia, ethiopia, finland, france, georgia, germany, ghana, greece, guatemala, hungary, iceland, "
    "india, indonesia, iran, iraq, ireland, israel, italy, jamaica, japan, jordan, kazakhstan, kenya, korea, south "
    "korea, north korea, kuwait, laos, latvia, lebanon, lithuania, luxembourg, malaysia, malta, mexico, moldova, "
    "mongolia, montenegro, morocco, nepal, netherlands, the netherlands, new zealand, nicaragua, nigeria, norway, "
    "oman, pakistan, panama, paraguay, peru, philippines, poland, portugal, qatar, romania, russia, rwanda, saudi "
    "arabia, scotland, senegal, serbia, singapore, slovakia, slovenia, south africa, spain, sri lanka, sudan, "
    "sweden, switzerland, syria, taiwan, tanzania, thailand, tunisia, turkey, uganda, ukraine, united kingdom, uk, "
    "united states, united states of america, usa, us, uruguay, uzbekistan, venezuela, vietnam, wales, zambia, "
    "zimbabwe, europe, asia, africa, america, bavaria, tuscany, catalonia, andalusia, provence, brittany, "
    "normandy, california, texas, florida, oregon, washington, new york, nyc, massachusetts, colorado, arizona, "
    "ontario, quebec, british columbia, aarhus, aberdeen, abu dhabi, addis ababa, amsterdam, ankara, antwerp, "
    "athens, atlanta, auckland, austin, baltimore, bangalore, bengaluru, bangkok, barcelona, basel, bath, beijing, "
    "beirut, belfast, belgrade, bergen, berlin, bern, bilbao, birmingham, bogotá, bogota, bologna, bonn, bordeaux, "
    "boston, bratislava, bremen, brighton, brisbane, bristol, brno, bruges, brussels, bucharest, budapest, buenos "
    "aires, cairo, calgary, cambridge, canberra, cape town, caracas, cardiff, casablanca, charlotte, chennai, "
    "chicago, cincinnati, cleveland, cologne, copenhagen, cork, dakar, dallas, delhi, new delhi, denver, detroit, "
    "dortmund, dresden, dubai, dublin, düsseldorf, dusseldorf, edinburgh, eindhoven, espoo, essen, florence, "
    "frankfurt, freiburg, gdańsk, gdansk, geneva, genoa, ghent, glasgow, gothenburg, granada, graz, grenoble, "
    "groningen, guadalajara, hamburg, hanoi, hanover, hannover, havana, heidelberg, helsinki, ho chi minh city, "
    "hong kong, honolulu, houston, hyderabad, innsbruck, istanbul, jakarta, jerusalem, johannesburg, karachi, "
    "karlsruhe, kathmandu, kiel, kigali, kingston, köln, kraków, krakow, kuala lumpur, kyiv, kiev, kyoto, la paz, "
    "lagos, lahore, las vegas, lausanne, leeds, leicester, leiden, leipzig, lille, lima, lisbon, liverpool, "
    "ljubljana, łódź, lodz, london, los angeles, luanda, lucerne, lund, lviv, lyon, madrid, maastricht, mainz, "
    "malaga, málaga, malmö, malmo, manchester, manila, mannheim, marseille, medellín, melbourne, miami, milan, "
    "minneapolis, minsk, montevideo, montpellier, montreal, moscow, mumbai, munich, münchen, münster, nagoya, "
    "nairobi, nantes, naples, nashville, newcastle, nice, nottingham, nuremberg, nürnberg, oakland, odense, "
    "odessa, oporto, osaka, oslo, ottawa, oxford, padua, palermo, palma, panama city, paris, perth, philadelphia, "
    "phoenix, pisa, pittsburgh, plovdiv, porto, portland, potsdam, poznań, poznan, prague, pune, quito, reykjavik, "
    "riga, rio de janeiro, rome, rostock, rotterdam, salzburg, san diego, san francisco, san jose, santiago, sao "
    "paulo, são paulo, sapporo, sarajevo, seattle, seoul, seville, shanghai, sheffield, shenzhen, siena, skopje, "
    "sofia, split, st. louis, stavanger, stockholm, strasbourg, stuttgart, sydney, taipei, tallinn, tampa, "
    "tampere, tartu, tbilisi, tel aviv, the hague, thessaloniki, tokyo, toronto, toulouse, trieste, tromsø, "
    "trondheim, tunis, turin, turku, uppsala, utrecht, valencia, valparaíso, vancouver, venice, verona, vienna, "
    "vilnius, warsaw, wellington, winnipeg, wrocław, wroclaw, york, zagreb, zaragoza, zürich, zurich, crete, "
    "sicily, bali, halifax, galway"
)


TECHNOLOGY = {
    "database": (
        "postgresql, postgres, mysql, mariadb, sqlite, mongodb, mongo, duckdb, cockroachdb, cassandra, scylladb, "
        "dynamodb, couchdb, couchbase, oracle db, oracle database, sql server, mssql, firestore, firebase, "
        "supabase, planetscale, neon, spanner, cloud spanner, bigquery, snowflake, redshift, clickhouse, "
        "timescaledb, influxdb, neo4j, arangodb, rethinkdb, foundationdb, tidb, yugabytedb, surrealdb, edgedb, "
        "turso, libsql, aurora, rds, db2, hbase, druid, questdb, dgraph, realm, pocketbase, documentdb, "
        "singlestore, vitess, cosmosdb, cosmos db, citus, leveldb, rocksdb, pinecone, weaviate, qdrant, milvus, "
        "chroma, pgvector"
    ),
    "cache": "redis, memcached, valkey, dragonfly, dragonflydb, keydb, varnish, hazelcast, ehcache, elasticache",
    "message_queue": (
        "rabbitmq, kafka, nats, sqs, pulsar, activemq, zeromq, redpanda, kinesis, celery, sidekiq, bullmq, "
        "pub/sub, google pub/sub, eventbridge, nsq, mosquitto, mqtt, redis streams, jetstream, temporal, resque, "
        "beanstalkd, huey, dramatiq"
    ),
    "search_engine": (
        "elasticsearch, opensearch, meilisearch, typesense, solr, algolia, sphinx, vespa, manticore, tantivy"
    ),
    "object_storage": (
        "s3, minio, cloud storage, backblaze, backblaze b2, r2, cloudflare r2, azure blob, wasabi, ceph, gcs"
    ),
    "programming_language": (
        "python, javascript, typescript, Go, golang, Rust, java, kotlin, Swift, c++, c#, C, ruby, php, scala, "
        "elixir, erlang, haskell, ocaml, clojure, perl, Dart, zig, Nim, lua, R, Julia, fortran, cobol, f#, "
        "objective-c, Crystal, gleam, solidity, groovy, bash, odin, delphi, ada"
    ),
    "framework": (
        "django, flask, fastapi, rails, ruby on rails, laravel, symfony, spring, spring boot, express, nestjs, "
        "next.js, nextjs, nuxt, nuxt.js, react, vue, vue.js, angular, svelte, sveltekit, solidjs, solid.js, qwik, "
        "Ember, backbone, remix, Astro, gatsby, phoenix, asp.net, .net, dotnet, quarkus, micronaut, actix, axum, "
        "rocket, Gin, echo, fiber, starlette, litestar, aiohttp, tornado, bottle, hono, koa, fastify, flutter, "
        "react native, electron, tauri, ionic, swiftui, jetpack compose, htmx, alpine.js, lit, preact, jquery, "
        "blazor, meteor, streamlit, sinatra, play framework, ktor, vapor, unity, unreal, unreal engine, godot, "
        "tailwind, tailwind css, bootstrap, adonisjs, strapi"
    ),
    "orm": (
        "sqlalchemy, prisma, drizzle, typeorm, hibernate, sequelize, activerecord, diesel, gorm, ent, peewee, "
        "tortoise, mikroorm, knex, jooq, mybatis, sqlc, ecto"
    ),
    "package_manager": (
        "npm, pnpm, yarn, bun, pip, poetry, uv, pipenv, conda, mamba, pixi, pdm, hatch, cargo, composer, bundler, "
        "maven, homebrew, brew, nix, cocoapods, nuget, pip-tools, rye, deno, vcpkg, conan, chocolatey, scoop, hex, "
        "sbt, leiningen, mix, go modules, pub"
    ),
    "build_tool": (
        "webpack, vite, esbuild, rollup, parcel, turbopack, rspack, swc, gradle, bazel, cmake, meson, ninja, gulp, "
        "grunt, make, makefile, just, turborepo, Nx, lerna, scons, buck, pants, tsup, babel, earthly, snowpack, "
        "rsbuild"
    ),
    "test_framework": (
        "pytest, unittest, jest, vitest, mocha, jasmine, cypress, playwright, selenium, junit, testng, rspec, "
        "minitest, phpunit, xunit, nunit, nose, nose2, karma, ava, testcafe, puppeteer, robot framework, cucumber, "
        "behave, hypothesis, spock, kotest, catch2, gtest, googletest, nextest, webdriverio, detox"
    ),
    "linter": (
        "ruff, flake8, pylint, eslint, biome, clippy, golangci-lint, rubocop, stylelint, sonarqube, checkstyle, "
        "ktlint, swiftlint, oxlint, standardjs, tslint, phpstan, psalm, detekt, shellcheck, hadolint"
    ),
    "formatter": (
        "prettier, gofmt, rustfmt, yapf, autopep8, clang-format, dprint, isort, google-java-format, shfmt, gofumpt"
    ),
    "type_checker": "mypy, pyright, pyre, pytype, basedpyright, sorbet",
    "ci": (
        "github actions, gitlab ci, jenkins, circleci, circle ci, travis, travis ci, buildkite, drone, teamcity, "
        "azure pipelines, azure devops, bitbucket pipelines, concourse, woodpecker, argo workflows, tekton, "
        "bamboo, appveyor, codefresh, semaphore, dagger, forgejo actions, gocd, cirrus ci, codebuild, xcode cloud, "
        "harness"
    ),
    "deploy_target": (
        "heroku, Render, Railway, fly.io, Fly, vercel, netlify, aws, aws ecs, ecs, ec2, aws lambda, lambda, "
        "fargate, gcp, google cloud, google cloud run, cloud run, app engine, azure, azure app service, "
        "digitalocean, digital ocean, hetzner, linode, vultr, ovh, scaleway, cloudflare workers, cloudflare pages, "
        "github pages, kubernetes, k8s, gke, eks, aks, openshift, elastic beanstalk, app runner, deno deploy, "
        "koyeb, dokku, coolify, kamal, nomad, raspberry pi, on-prem, on-premises, bare metal, openstack, proxmox, "
        "exoscale, ionos, platform.sh, upsun, gitlab pages, pythonanywhere, lightsail, rancher, ibm cloud, oracle "
        "cloud"
    ),
    "orchestrator": "docker, docker swarm, docker compose, podman, containerd, mesos, helm, k3s",
    "infrastructure_as_code": (
        "terraform, pulumi, ansible, cloudformation, opentofu, chef, puppet, saltstack, aws cdk, cdk, crossplane, "
        "bicep, packer, terragrunt, nixos modules"
    ),
    "monitoring": (
        "grafana, prometheus, datadog, new relic, sentry, honeycomb, dynatrace, zabbix, nagios, appdynamics, "
        "rollbar, bugsnag, pagerduty, opsgenie, uptime kuma, statuspage, lightstep, signoz, opentelemetry, jaeger, "
        "zipkin, appsignal, glitchtip, checkmk, icinga, uptimerobot"
    ),
    "logging": (
        "loki, elk, elk stack, splunk, papertrail, logstash, fluentd, fluent bit, graylog, cloudwatch, loggly, "
        "logtail, better stack, axiom, vector.dev"
    ),
    "auth_provider": (
        "auth0, okta, keycloak, cognito, clerk, firebase auth, workos, stytch, supabase auth, fusionauth, "
        "authentik, zitadel, descope, ory, ory kratos, azure ad, entra id, onelogin, authelia, better auth"
    ),
    "payment_provider": (
        "stripe, paypal, adyen, mollie, braintree, paddle, lemon squeezy, gocardless, worldpay, checkout.com, "
        "klarna payments, razorpay, square payments, chargebee, recurly"
    ),
    "email_provider": (
        "sendgrid, mailgun, postmark, resend, amazon ses, ses, mailchimp, sparkpost, mailjet, brevo, mandrill, "
        "customer.io"
    ),
    "cdn": "cloudfront, fastly, cloudflare, akamai, bunny, bunnycdn, keycdn, jsdelivr",
    "dns_provider": "route 53, route53, namecheap, godaddy, gandi, porkbun, infomaniak, dnsimple",
    "branching_model": (
        "git-flow, git flow, gitflow, trunk-based, trunk-based development, github flow, gitlab flow, feature "
        "branches, release branches, fork and pull request, short-lived branches, mainline development, "
        "one-branch, ship/show/ask, oneflow, stacked diffs, stacked branches"
    ),
    "merge_policy": (
        "squash merge, squash and merge, rebase and merge, merge commits, fast-forward only, squash merges, merge queue"
    ),
    "api_style": "REST, graphql, grpc, soap, json-rpc, trpc, openapi, websockets, odata, hateoas, server-sent events",
    "license": (
        "MIT, mit license, apache 2.0, apache-2.0, apache license, gpl, gplv2, gplv3, gpl-3.0, lgpl, agpl, agplv3, "
        "bsd, bsd-2-clause, bsd-3-clause, mpl, mpl-2.0, isc, unlicense, cc0, cc-by, cc-by-sa, eupl, epl, bsl, "
        "sspl, business source license, elastic license, wtfpl"
    ),
    "code_host": (
        "github, gitlab, bitbucket, gitea, forgejo, codeberg, sourcehut, subversion, svn, mercurial, perforce, "
        "gerrit, git, azure repos, radicle, cvs"
    ),
    "issue_tracker": (
        "jira, Linear, trello, asana, youtrack, clickup, redmine, shortcut, basecamp, monday.com, plane, taiga, "
        "bugzilla, wrike, github issues, gitlab issues, phabricator, mantis, pivotal tracker, openproject, height"
    ),
    "chat_tool": (
        "Slack, mattermost, zulip, microsoft teams, ms teams, rocket.chat, discord, google chat, Element, webex "
        "teams, campfire, twist"
    ),
    "docs_tool": (
        "Notion, confluence, mkdocs, docusaurus, gitbook, read the docs, readthedocs, outline, bookstack, wiki.js, "
        "mediawiki, dokuwiki, coda, slab, nuclino, vitepress, mintlify, swimm, slite"
    ),
    "design_tool": "figma, sketch app, adobe xd, penpot, invision, framer, zeplin, balsamiq, axure, affinity designer",
    "meeting_tool": "zoom, google meet, jitsi, webex, whereby, microsoft teams calls, gather, bigbluebutton, around",
    "ai_model": (
        "gpt-4, gpt-4o, gpt-5, gpt-4.1, claude, claude sonnet, claude opus, gemini, llama, llama 3, mistral, "
        "mixtral, deepseek, qwen, o3, phi-3, gemma, command r"
    ),
    "editor": (
        "neovim, nvim, vim, emacs, vs code, vscode, visual studio code, visual studio, sublime text, sublime, "
        "Atom, intellij, intellij idea, pycharm, webstorm, goland, clion, rider, phpstorm, rubymine, android "
        "studio, xcode, eclipse, netbeans, Zed, Helix, Nova, Kakoune, notepad++, spacemacs, doom emacs, textmate, "
        "bbedit, jupyterlab, rstudio, spyder, Cursor, windsurf, fleet, rustrover, geany, kate, nano, datagrip, "
        "vscodium, lapce, Brackets"
    ),
    "operating_system": (
        "linux, ubuntu, debian, fedora, arch, arch linux, manjaro, nixos, opensuse, centos, red hat, rhel, rocky "
        "linux, alma linux, gentoo, slackware, mint, linux mint, pop!_os, elementary os, windows, windows 10, "
        "windows 11, macos, mac os, freebsd, openbsd, netbsd, chromeos, chrome os, kali, kali linux, endeavouros, "
        "void linux, alpine, alpine linux, asahi linux, zorin os, solus, garuda, cachyos, bazzite, silverblue, "
        "qubes os"
    ),
    "shell": "bash, zsh, fish shell, nushell, powershell, oh my zsh, elvish, xonsh, ksh, tcsh",
    "terminal": (
        "iterm2, iterm, alacritty, kitty, wezterm, ghostty, windows terminal, gnome terminal, konsole, hyper, "
        "terminator, warp, tmux, tabby"
    ),
    "browser": (
        "firefox, chrome, google chrome, safari, brave, vivaldi, microsoft edge, opera, chromium, tor browser, "
        "librewolf, zen browser, arc browser, orion, duckduckgo browser, waterfox"
    ),
    "search_provider": "duckduckgo, kagi, ecosia, startpage, qwant",
    "password_manager": (
        "bitwarden, 1password, lastpass, keepass, keepassxc, dashlane, proton pass, nordpass, enpass, vaultwarden, "
        "roboform, keeper"
    ),
    "note_app": (
        "obsidian, evernote, logseq, roam research, joplin, onenote, simplenote, apple notes, standard notes, "
        "google keep, craft, capacities, remnote, tana, zettlr, bear notes, amplenote, mem.ai, reflect notes"
    ),
    "todo_app": (
        "todoist, ticktick, things 3, omnifocus, microsoft to do, any.do, google tasks, remember the milk, "
        "superlist, habitica, taskwarrior, org-mode, vikunja"
    ),
    "calendar_app": (
        "google calendar, fantastical, outlook calendar, apple calendar, calendly, cron calendar, notion calendar, "
        "proton calendar, cal.com, busycal"
    ),
    "mail_client": (
        "thunderbird, outlook, apple mail, spark mail, mutt, neomutt, mailspring, airmail, superhuman, gmail, "
        "protonmail, proton mail, fastmail, tutanota, hey.com"
    ),
    "music_service": (
        "spotify, apple music, tidal, deezer, youtube music, qobuz, amazon music, bandcamp, soundcloud, pandora, "
        "plexamp"
    ),
    "ai_assistant": (
        "github copilot, copilot, chatgpt, claude code, codex, aider, tabnine, codeium, perplexity, cline, gemini "
        "cli, cody, amazon q, opencode, goose"
    ),
    "backup": (
        "restic, borg, borgbackup, time machine, duplicati, arq, crashplan, kopia, rclone, veeam, carbonite, "
        "duplicity, rsync.net, acronis"
    ),
}

# Names above that are ordinary words as well: they count only with a capital letter.
ORDINARY_NAMES = (
    "unreal outline height plane linear shortcut craft around gather coda slab slite neon aurora spring express "
    "rocket echo fiber bottle flask phoenix lit remix gin ent diesel drizzle prisma karma cypress playwright "
    "jasmine behave hypothesis parcel buck pants ninja hatch composer bundler maven mix hex pub nose ava chef "
    "puppet packer harness drone dagger concourse bamboo temporal pulsar kinesis huey chroma realm nomad rancher "
    "lambda bunny opera safari brave orion chrome warp kitty hyper tabby terminator keeper reflect outlook tidal "
    "cursor fleet nova atom kate nano eclipse rider windows arch mint solus element twist discord framer zoom "
    "clerk paddle fusion semaphore vapor meteor unity ionic electron dart crystal swift ruby go rust r c julia "
    "make just sublime brackets alpine void garuda enpass logging splunk axiom loki vespa sphinx temporal height "
    "teams campfire notion slack trello basecamp claude gemini copilot perplexity goose cody codex cline sonnet "
    "opus druid spanner snowflake redshift workers square close kamal railway render fly vault perl bear things "
    "git chime signal arc edge pocket obsidian salt"
)
