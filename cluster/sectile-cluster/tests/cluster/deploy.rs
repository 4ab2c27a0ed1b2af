//! The files of `deploy/` name what there is: programs, their arguments, ports, services and volumes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::PROGRAM;

/// The image that `deploy/Dockerfile` makes.
const IMAGE: &str = "sectile-cluster";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(repository().join(name)).expect("it is there")
}

/// Returns the documents of a file.
fn documents(name: &str) -> Vec<Value> {
    serde_saphyr::from_multiple(&read(name)).expect("it is YAML")
}

/// Returns the service of `compose.yaml` with a name.
fn service(name: &str) -> Value {
    documents("deploy/compose.yaml")[0]["services"][name].clone()
}

/// Returns the services of `compose.yaml` that run our image, with their names.
fn services() -> Vec<(String, Value)> {
    let compose = documents("deploy/compose.yaml").remove(0);
    let services = compose["services"].as_object().expect("there are some");
    let ours = services.iter().filter(|(_, of)| of["image"] == IMAGE);
    ours.map(|(name, of)| (name.clone(), of.clone())).collect()
}

/// Returns the deployments and jobs of `kubernetes.yaml`.
fn workloads() -> Vec<Value> {
    let mut documents = documents("deploy/kubernetes.yaml");
    documents.retain(|of| of["kind"] == "Deployment" || of["kind"] == "Job");
    documents
}

/// Returns the only container of a workload.
fn container(workload: &Value) -> &Value {
    let containers = list(&workload["spec"]["template"]["spec"]["containers"]);
    assert_eq!(containers.len(), 1, "{workload}");
    &containers[0]
}

/// Returns the entries of a list, of which there may be none.
fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Returns the words of a command line, or of the line that a shell is given.
fn words(command: &Value) -> Vec<String> {
    let words: Vec<String> = list(command)
        .iter()
        .map(|word| word.as_str().expect("it is text").to_owned())
        .collect();
    match &*words {
        [shell, option, line] if shell == "sh" && option == "-c" => {
            let words = line.split_whitespace().skip_while(|&word| word == "exec");
            words
                .map(|word| word.trim_matches('"').to_owned())
                .collect()
        }
        _ => words,
    }
}

/// Returns the command lines of all containers of our image.
fn command_lines() -> Vec<Vec<String>> {
    let services = services();
    let services = services.iter().map(|(_, of)| words(&of["command"]));
    let workloads = workloads();
    let containers = workloads.iter().map(container);
    services
        .chain(containers.map(|container| words(&container["args"])))
        .collect()
}

/// Returns the value of an option.
fn option<'a>(line: &'a [String], name: &str) -> Option<&'a str> {
    let at = line.iter().position(|word| word == name)?;
    line.get(at + 1).map(String::as_str)
}

/// Returns the port of an address.
fn port(address: &str) -> u64 {
    let (_, port) = address.rsplit_once(':').expect("it has a port");
    port.parse().expect("it is a number")
}

/// Returns the port at which the process of a command line listens.
fn bound(line: &[String]) -> Option<u64> {
    option(line, "--bind").map(port)
}

/// Returns whether the program reads the arguments without doing their work.
fn is_understood(arguments: &[String]) -> bool {
    let output = Command::new(PROGRAM).args(arguments).arg("--help").output();
    output.expect("the program starts").status.success()
}

#[test]
fn programs_are_started_with_arguments_that_they_have() {
    let reference = read("docs/reference.md");
    let mut commands = reference.split("\n## ");
    let load = commands.find(|part| part.starts_with("`sectile load`"));
    let load = load.expect("the reference has `load`");
    let lines = command_lines();
    for line in &lines {
        let (program, arguments) = line.split_first().expect("there is a program");
        match &**program {
            "sectile-cluster" => assert!(is_understood(arguments), "{line:?}"),
            "sectile" => {
                assert_eq!(arguments[0], "load", "{line:?}");
                let mut options = arguments.iter().filter(|word| word.starts_with("--"));
                assert!(
                    options.all(|option| load.contains(&format!("`{option}"))),
                    "{line:?}"
                );
            }
            _ => panic!("{line:?}"),
        }
    }
    for process in ["scheduler", "executor", "run", "load"] {
        let count = lines.iter().filter(|line| line[1] == process).count();
        assert_eq!(count, 2, "{process}");
    }
    let unknown = ["executor", "--schedule", "scheduler:50050"];
    assert!(!is_understood(&unknown.map(str::to_owned)));
    let no_number = ["executor", "--memory", "2g"];
    assert!(!is_understood(&no_number.map(str::to_owned)));
}

#[test]
fn the_image_is_made_of_what_is_in_the_repository() {
    let dockerfile = read("deploy/Dockerfile");
    let rust = read("cluster/Cargo.toml");
    let rust = rust.split("rust-version = \"").nth(1);
    let rust = rust.and_then(|rest| rest.split('"').next());
    let rust = rust.expect("the workspace names one");
    assert!(dockerfile.contains(&format!("FROM rust:{rust}-")), "{rust}");
    let paths = dockerfile.split("--path ").skip(1);
    let paths = paths.map(|rest| rest.split_whitespace().next().expect("it is named"));
    let paths: Vec<&str> = paths.collect();
    assert_eq!(paths, ["crates/sectile-cli", "cluster/sectile-cluster"]);
    for path in paths {
        assert!(repository().join(path).join("Cargo.toml").exists());
    }
    for (manifest, feature) in [
        ("crates/sectile-cli/Cargo.toml", "parquet"),
        ("cluster/sectile-cluster/Cargo.toml", "postgres"),
    ] {
        assert!(dockerfile.contains(&format!("--features {feature}")));
        assert!(read(manifest).contains(&format!("\n{feature} = [")));
    }
    for file in ["deploy/compose.yaml", "deploy/kubernetes.yaml"] {
        assert!(read(file).contains(&format!("image: {IMAGE}\n")), "{file}");
    }
}

#[test]
fn services_of_compose_reach_each_other() {
    let names: Vec<String> = services().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    let shared = service("executor")["volumes"][0].clone();
    for (name, of) in services() {
        let line = words(&of["command"]);
        if let Some(address) = option(&line, "--scheduler") {
            let (host, _) = address.rsplit_once(':').expect("it has a port");
            let scheduler = words(&service(host)["command"]);
            assert_eq!(bound(&scheduler), Some(port(address)), "{name}");
        }
        let needed = &of["depends_on"];
        let needed: Vec<&str> = match needed.as_object() {
            Some(needed) => needed.keys().map(String::as_str).collect(),
            None => list(needed).iter().filter_map(Value::as_str).collect(),
        };
        for other in needed {
            assert!(service(other).is_object(), "{name} needs {other}");
        }
        if line.iter().any(|word| word.starts_with("/shared")) {
            let folder = of["volumes"][0].as_str().expect("it has a folder");
            assert_eq!(
                folder.trim_end_matches(":ro"),
                shared.as_str().expect("it is text"),
                "{name}"
            );
        }
    }
    assert!(service("store")["healthcheck"]["test"].is_array());
}

#[test]
fn ports_and_volumes_of_kubernetes_are_there() {
    let all = documents("deploy/kubernetes.yaml");
    let of_kind = |kind: &str| {
        let found = all.iter().filter(|of| of["kind"] == kind);
        found.collect::<Vec<_>>()
    };
    let claims = of_kind("PersistentVolumeClaim");
    for workload in workloads() {
        let pod = &workload["spec"]["template"]["spec"];
        let container = container(&workload);
        assert_eq!(container["image"], IMAGE);
        let line = words(&container["args"]);
        let ports: Vec<u64> = list(&container["ports"])
            .iter()
            .filter_map(|port| port["containerPort"].as_u64())
            .collect();
        // An executor serves what its stages made at the port after that of the scheduler's calls.
        let listens: Vec<u64> = match (&*line[1], bound(&line)) {
            ("executor", Some(port)) => vec![port, port + 1],
            (_, port) => port.into_iter().collect(),
        };
        assert_eq!(ports, listens, "{line:?}");
        let ready = container["readinessProbe"]["tcpSocket"]["port"].as_u64();
        assert_eq!(ready, listens.first().copied(), "{line:?}");
        for mount in list(&container["volumeMounts"]) {
            let mut volumes = list(&pod["volumes"]).iter();
            let volume = volumes.find(|volume| volume["name"] == mount["name"]);
            let claim = &volume.expect("the pod has it")["persistentVolumeClaim"]["claimName"];
            let is_there = |known: &&Value| known["metadata"]["name"] == *claim;
            assert!(claim.is_null() || claims.iter().any(is_there), "{claim}");
        }
        let Some(address) = option(&line, "--scheduler") else {
            continue;
        };
        let (host, _) = address.rsplit_once(':').expect("it has a port");
        let services = of_kind("Service");
        let service = services.iter().find(|of| of["metadata"]["name"] == host);
        let service = &service.expect("there is a service")["spec"];
        assert_eq!(service["ports"][0]["port"], port(address));
        let selected = workloads()
            .into_iter()
            .find(|of| of["spec"]["template"]["metadata"]["labels"] == service["selector"]);
        let selected = selected.expect("it stands for a deployment");
        let line = words(&self::container(&selected)["args"]);
        assert_eq!(bound(&line), Some(port(address)));
    }
}

#[test]
fn executors_have_the_memory_that_they_may_take() {
    let compose = service("executor");
    let workloads = workloads();
    let executor = workloads
        .iter()
        .map(container)
        .find(|container| container["args"][1] == "executor");
    let executor = executor.expect("there is one");
    for (command, limit) in [
        (&compose["command"], &compose["mem_limit"]),
        (
            &executor["args"],
            &executor["resources"]["limits"]["memory"],
        ),
    ] {
        let line = words(command);
        let number = |name: &str| -> u64 {
            let typed = option(&line, name).expect("it is named");
            typed.parse().expect("it is a number")
        };
        // As many files as tasks are loaded at once.
        assert_eq!(option(&line, "--file-processes"), None);
        let taken = number("--memory") + number("--tasks") * number("--file-memory");
        let limit = limit.as_str().expect("there is a limit");
        let gigabytes = limit.trim_end_matches(char::is_alphabetic);
        let gigabytes: u64 = gigabytes.parse().expect("it is in gigabytes");
        assert!(taken < gigabytes << 30, "{line:?} in {limit}");
    }
}
